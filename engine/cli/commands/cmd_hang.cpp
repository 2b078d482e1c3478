// bscope hang: why a PyTorch program stands still, from the flight recorder dumps of its ranks and the order
// that was planned. Nothing of a dump is run. Exit status 0 when no rank waits, 3 when some rank does.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "catalog/catalog.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "files/user_file.h"
#include "hang/dump_files.h"
#include "hang/hang_report.h"
#include "hang/message_rules.h"
#include "schedule/program.h"
#include "words/sentence_error.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

constexpr int kSomeRankWaits = 3;

struct AskedOrder {
    std::string schedule, file;
    std::optional<int> p, m, v;
    int group_size = 0;

    bool isNamed() const { return !schedule.empty() || !file.empty(); }
};

// The order and its messages.
struct KnownOrder {
    Schedule schedule;
    MessagePlan plan;
};

void checkOrder(CommandLine& line, const AskedOrder& asked, ScheduleParams& params) {
    if (!asked.schedule.empty() && !asked.file.empty())
        line.refuse(sentence("choose one of --schedule and --order"));
    if (asked.schedule.empty()) {
        if (asked.p || asked.m || asked.v) line.refuse(sentence("-p, -m and -v belong to --schedule"));
        return;
    }
    if (const CatalogEntry* entry = findSchedule(asked.schedule)) takeUsual(params, *entry);
    params.p = asked.p.value_or(params.p);
    params.m = asked.m.value_or(params.m);
    params.v = asked.v.value_or(params.v);
    params.group_size = asked.group_size;
    line.refuse(scheduleProblems(asked.schedule, params));
}

std::optional<KnownOrder> orderOf(const AskedOrder& asked, const ScheduleParams& params) {
    if (!asked.schedule.empty()) {
        Program program = lower(makeSchedule(asked.schedule, params));
        MessagePlan plan(program.schedule, std::move(program.actions), false);
        return KnownOrder{std::move(program.schedule), std::move(plan)};
    }
    if (asked.file.empty()) return std::nullopt;
    std::string text;
    try {
        text = readUserFile(asked.file, kMaxScheduleFileBytes);
    } catch (const FileError& error) {
        throw SentenceError<>(sentence("cannot read {0}: {1}", asked.file, sentenceOf(error)));
    }
    const ScheduleFile file = readScheduleFile(text, asked.file);
    if (!file.computes || judgeMessages(file).empty())
        throw SentenceError<>(
            sentence("{0} is no order that can be compared: {1}; bscope validate names every problem",
                     asked.file, file.errors.front().what));
    return KnownOrder{file.schedule, MessagePlan(file.schedule, messageLists(file), file.has_communication)};
}

std::string utcText(std::int64_t ns) {
    const auto seconds = static_cast<std::time_t>(ns / 1'000'000'000);
    std::tm parts{};
    char text[64] = "";
    if (ns <= 0 || !gmtime_r(&seconds, &parts) || std::strftime(text, sizeof(text), "%F %T UTC", &parts) == 0)
        return "?";
    return text;
}

std::string inEnglish(const Sentence& said) {
    return say(said, Language::English);
}

nlohmann::ordered_json operationJson(const OutstandingOperation& at) {
    nlohmann::ordered_json json = {
        {"operation", at.name},    {"group", at.group},       {"shape", at.shape},
        {"since_ns", at.since_ns}, {"waited_s", at.waited_s}, {"waits_for", at.waits_for},
        {"other_side", nullptr},   {"message", nullptr},      {"computation", nullptr},
        {"iteration", nullptr},    {"where", at.where}};
    constexpr const char* kSides[] = {"no dump", "not posted", "posted", "ended"};
    json["other_side"] = kSides[static_cast<std::size_t>(at.other)];
    if (at.message) json["message"] = toText(*at.message);
    if (at.computation) json["computation"] = toText(*at.computation);
    if (at.iteration >= 0) json["iteration"] = at.iteration;
    return json;
}

void printJson(const HangReport& report) {
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array(), findings = ranks, notes = ranks;
    for (const HangRank& each : report.ranks) {
        nlohmann::ordered_json rank = {
            {"rank", each.rank},    {"has_dump", each.has_dump}, {"recorded", each.recorded},
            {"ended", each.ended},  {"last", each.last},         {"idle_s", each.idle_s},
            {"stands_at", nullptr}, {"next", nullptr},           {"text", inEnglish(each.text())}};
        if (!each.stack.empty()) rank["stack"] = each.stack;
        if (each.stands_at) rank["stands_at"] = operationJson(*each.stands_at);
        if (each.next) rank["next"] = toText(*each.next);
        ranks.push_back(std::move(rank));
    }
    for (const HangFinding& each : report.findings)
        findings.push_back(
            {{"kind", kindName(each.kind)}, {"ranks", each.ranks}, {"text", inEnglish(each.what)}});
    for (const Sentence& each : report.notes) notes.push_back(inEnglish(each));
    const nlohmann::ordered_json json = {{"waits", report.waits()},   {"last_ns", report.last_ns},
                                         {"ranks", std::move(ranks)}, {"findings", std::move(findings)},
                                         {"circle", report.circle},   {"notes", std::move(notes)}};
    std::cout << jsonText(json) << '\n';
}

void printText(const LinePrinter& printer, const HangReport& report) {
    printer.line("what {0} ranks recorded until {1}:", report.ranks.size(), utcText(report.last_ns));
    for (const HangRank& each : report.ranks) {
        printer.out() << "  ";
        printer.line("rank {0} {1}", each.rank, each.text());
        if (each.stands_at && !each.stands_at->where.empty())
            printer.out() << "      " << shown(each.stands_at->where) << '\n';
        if (!each.stack.empty()) printer.out() << "      py-spy: " << shown(stackText(each.stack)) << '\n';
    }
    if (!report.findings.empty()) printer.line("why:");
    for (const HangFinding& each : report.findings)
        printer.out() << "  - " << printer.words(each.what) << '\n';
    if (report.waits() && report.findings.empty())
        printer.line("a rank waits, but these dumps do not show why");
    if (!report.waits()) printer.line("no rank waits: every recorded operation has ended");
    for (const Sentence& each : report.notes) printer.line("note: {0}", each);
}

}  // namespace

int hangCommand(const Arguments& arguments) {
    CommandLine line(
        "hang",
        "Says why a PyTorch program stands still, from what its ranks wrote with the flight recorder "
        "(TORCH_NCCL_TRACE_BUFFER_SIZE and TORCH_NCCL_DEBUG_INFO_TEMP_FILE; pickle or JSON, none of which is "
        "executed), from the table of torchfrtrace -j, and from stacks of py-spy dump: which rank waits for "
        "which and since when, which rank never posted its side, where two orders or sizes differ. With the "
        "planned order it names the operations. Exit status 0 when no rank waits, 3 when one does.",
        "bscope hang dumps/ --schedule 1f1b -p 4 -m 8\n  bscope hang nccl_trace_rank_0 nccl_trace_rank_1 "
        "--order my.csv");
    std::vector<std::string> names;
    AskedOrder asked;
    bool json = false;
    line.arguments("DUMPS", "the dumps, or their folder: one file per rank, whose name ends in the rank",
                   names);
    line.text("--schedule", "NAME", "the order that was planned, of the catalog", asked.schedule);
    line.option("-p", "INTEGER", "pipeline ranks (4)", setInteger([&asked](int value) { asked.p = value; }));
    line.option("-m", "INTEGER", "micro-batches per iteration (8)",
                setInteger([&asked](int value) { asked.m = value; }));
    line.option("-v", "INTEGER", "virtual stages per rank (the schedule's usual)",
                setInteger([&asked](int value) { asked.v = value; }));
    line.integer("--group-size", "interleaved: micro-batches per group, 0 = default", asked.group_size);
    line.text("--order", "FILE.csv",
              "the order that was planned, as a file: with or without its sends and receives", asked.file);
    line.flag("--json", "one JSON object: ranks, findings, circle, notes", json);
    if (!line.parse(arguments)) return 0;
    if (names.empty()) line.refuse(sentence("which dumps? Give their folder, or the files"));
    ScheduleParams params;
    checkOrder(line, asked, params);
    line.check();

    const LinePrinter printer(std::cout, line.language());
    std::vector<std::string> passed_over;
    const std::vector<std::string> files = dumpFilesOf(names, passed_over);
    const HangFiles read = readHangFiles(files);
    const std::optional<KnownOrder> order = orderOf(asked, params);
    HangReport report = analyseHang(read.dumps, order ? &order->plan : nullptr);
    if (order && report.waits()) judgePlan(report, order->schedule, order->plan);
    addStacks(report, read.stacks);
    for (const std::string& file : passed_over)
        report.notes.push_back(sentence("{0} was skipped: its name does not end in a rank", file));
    if (json)
        printJson(report);
    else
        printText(printer, report);
    return report.waits() ? kSomeRankWaits : 0;
}

}  // namespace bscope::cli
