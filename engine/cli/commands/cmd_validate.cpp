// bscope validate: reads a schedule from a file, as an order of actions or as a time table, and lists
// every broken rule with the cell, and under which rules of message layers it runs. Exit status 0 when it is
// valid, 2 when it is not.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/output_files.h"
#include "cli/input/schedule_text.h"
#include "cli/print/json_text.h"
#include "cli/print/line_printer.h"
#include "files/user_file.h"
#include "hang/message_rules.h"
#include "schedule/formats/csv.h"
#include "schedule/formats/schedule_file.h"
#include "words/catalog.h"
#include "words/sentence_error.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

constexpr int kInvalid = 2;

std::string contentsOf(const std::string& path) {
    try {
        return readUserFile(path, kMaxScheduleFileBytes);
    } catch (const FileError& error) {
        throw std::runtime_error("cannot read " + path + ": " + error.what());
    }
}

std::vector<std::string> englishOf(const std::vector<Sentence>& sentences) {
    std::vector<std::string> texts;
    for (const Sentence& each : sentences) texts.push_back(say(each, Language::English));
    return texts;
}

Sentence formText(const ScheduleFile& file) {
    if (file.form == FileForm::TimeTable) return sentence("time table");
    return file.has_communication ? sentence("order of actions with communication")
                                  : sentence("order of actions");
}

constexpr double kNsOfUnit = 1e9;

RuleCosts costsOf(const UnitDurations& units) {
    const auto ns = [](double each) { return std::llround(each * kNsOfUnit); };
    return {ns(units.f), ns(units.i), ns(units.w), ns(units.c)};
}

// What is known of one file.
struct Judged {
    ScheduleFile file;
    std::vector<RuleOutcome> rules;
    std::vector<RuleOutcome> anew;    // with its messages placed anew, where it has messages
    std::vector<WaitingRank> cycle;   // of the computation alone, where it is what stands still

    bool standsStill() const {
        return std::ranges::any_of(rules, [](const RuleOutcome& each) { return !each.runs(); });
    }
    bool wastesTime() const {
        for (std::size_t i = 0; i < rules.size() && i < anew.size(); ++i)
            if (rules[i].runs() && rules[i].makespan_ns > anew[i].makespan_ns) return true;
        return false;
    }
};

Judged judge(ScheduleFile file, const UnitDurations& durations) {
    Judged judged{std::move(file), {}, {}, {}};
    judged.rules = judgeMessages(judged.file, costsOf(durations));
    if (judged.file.has_communication && judged.file.computes)
        judged.anew = judgeSafeMessages(judged.file, costsOf(durations));
    if (judged.file.computes) return judged;
    if (auto alone = playComputation(judged.file.schedule)) judged.cycle = std::move(alone->cycle);
    return judged;
}

nlohmann::ordered_json standingJson(const std::vector<WaitingRank>& standing) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const WaitingRank& each : standing)
        all.push_back({{"rank", each.rank},
                       {"stands_at", toText(each.action)},
                       {"waits_for_rank", each.waits_for},
                       {"until", toText(each.until)},
                       {"text", say(each.text(), Language::English)}});
    return all;
}

double unitsOf(const RuleOutcome& outcome) {
    return static_cast<double>(outcome.makespan_ns) / kNsOfUnit;
}

nlohmann::ordered_json rulesJson(const Judged& judged) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < judged.rules.size(); ++i) {
        const RuleOutcome& each = judged.rules[i];
        nlohmann::ordered_json rule = {{"rule", ruleName(each.rule)},
                                       {"runs", each.runs()},
                                       {"makespan", nullptr},
                                       {"messages", each.messages},
                                       {"cycle", standingJson(each.cycle)},
                                       {"standing", standingJson(each.standing)}};
        if (each.runs()) rule["makespan"] = unitsOf(each);
        if (i < judged.anew.size()) rule["makespan_fixed"] = unitsOf(judged.anew[i]);
        all.push_back(std::move(rule));
    }
    return all;
}

void printRules(const LinePrinter& printer, const std::vector<RuleOutcome>& rules,
                const std::vector<RuleOutcome>& anew = {}) {
    if (rules.empty()) return;
    printer.line("messages, under the rules of the communication layers:");
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const Sentence text = rules[i].text(i < anew.size() ? &anew[i] : nullptr);
        printer.out() << "  " << printer.words(text) << '\n';
    }
}

void printJson(const Judged& judged, const UnitDurations& durations) {
    const ScheduleFile& file = judged.file;
    nlohmann::ordered_json problems = nlohmann::ordered_json::array();
    for (const CellError& error : file.errors) {
        nlohmann::ordered_json problem = {{"text", error.text()}, {"row", nullptr}, {"column", nullptr}};
        if (error.row >= 0) problem["row"] = error.row;
        if (error.column >= 0) problem["column"] = error.column;
        problems.push_back(std::move(problem));
    }
    nlohmann::ordered_json json = {
        {"valid", file.errors.empty()},   {"form", say(formText(file), Language::English)},
        {"notes", englishOf(file.notes)}, {"problems", std::move(problems)},
        {"rules", rulesJson(judged)},     {"cycle", standingJson(judged.cycle)}};
    std::cout << (file.errors.empty() ? scheduleJson(file.schedule, {durations}, {.before = std::move(json)})
                                      : jsonText(json))
              << '\n';
}

// The picture and the first problem go to the output, all problems to the errors.
void printText(const LinePrinter& printer, const std::string& path, const Judged& judged,
               const UnitDurations& durations) {
    const ScheduleFile& file = judged.file;
    const ScheduleParams& params = file.schedule.params;
    std::ostream& out = printer.out();
    out << shown(path) << ": " << printer.words(formText(file));
    if (!file.schedule.placement.empty()) out << ", p=" << params.p << " v=" << params.v << " m=" << params.m;
    out << '\n';
    for (const Sentence& note : file.notes) printer.line("note: {0}", note);
    out << '\n';
    if (file.errors.empty()) {
        if (file.form == FileForm::TimeTable) {
            out << shown(markedGrid(file), Newlines::Kept) << '\n';
            printer.line("as an order, as early as possible:");
        }
        printScheduleGrid(printer, file.schedule, {durations});
        printRules(printer, judged.rules, judged.anew);
        if (judged.standsStill())
            printer.line(
                "valid, but it does not run under every rule; --fix -o FILE rearranges its messages");
        else if (judged.wastesTime())
            printer.line("valid, but messages wait for each other; --fix -o FILE rearranges them");
        else
            printer.line("valid");
        return;
    }
    out << shown(markedGrid(file), Newlines::Kept) << '\n';
    printRules(printer, judged.rules, judged.anew);
    if (!judged.cycle.empty()) printer.line("a circle: {0}", circleText(judged.cycle));
    printer.line("not valid: {0}", file.errors.front().what);
    out << std::flush;
    std::cerr << "bscope validate: "
              << printer.words(file.errors.size() == 1 ? "{0} problem" : "{0} problems", file.errors.size())
              << '\n';
    for (const CellError& error : file.errors) std::cerr << "  - " << printer.words(error.what) << '\n';
}

// What was written goes to the errors: the output may be JSON.
void writeFixed(const ScheduleFile& file, const std::string& path, const UnitDurations& durations,
                const LinePrinter& printer) {
    if (!file.computes)
        throw SentenceError<>(sentence(
            "nothing was written: the computation itself is not legal, so that no order of messages helps"));
    const std::string text = toCsv(safeMessages(file));
    if (const ScheduleFile anew = readScheduleFile(text, path, FileForm::Order); !anew.errors.empty())
        throw SentenceError<>(
            sentence("nothing was written: with its messages rearranged the order still breaks a rule: {0}",
                     anew.errors.front().what));
    writeWhole(path, [&text](std::ostream& out) { out << text; });
    printer.line("{0}: the same computation, its messages rearranged", path);
    printRules(printer, judgeSafeMessages(file, costsOf(durations)));
}

}  // namespace

int validateCommand(const Arguments& arguments) {
    CommandLine line(
        "validate",
        "Checks a schedule from a file: PyTorch's CSV (2F0,2B0,..., also with 2SEND_F0 and 3RECV_F0), or a "
        "time table as textbooks draw it (F1,B3,-, one column per unit of time), whose times are checked "
        "too. Its messages are played under four rules of message layers; where the order stands still, the "
        "circle of waiting ranks is printed. Exit status 2 when a rule of the order is broken.",
        "bscope validate my_schedule.csv\n  bscope validate order.csv --fix -o safe.csv");
    std::string path, fixed;
    bool table = false, order = false, json = false, fix = false, strict = false;
    line.argument("FILE", "the schedule", path);
    line.flag("--table", "it is a time table (default: by its cells)", table);
    line.flag("--order", "it is an order of actions: blanks mean nothing", order);
    line.flag("--json", "one JSON object: valid, problems with row and column from 0, rules", json);
    line.flag("--strict", "exit status 2 also when it stands still under one of the four rules", strict);
    line.flag("--fix", "write an order of sends and receives that runs under all four rules", fix);
    line.text("-o", "FILE.csv", "--fix: the file to write, as PyTorch's compute_comms CSV", fixed);
    UnitDurations durations;
    addCostsOption(line, durations);
    if (!line.parse(arguments)) return 0;
    if (path.empty()) line.refuse(sentence("which file? Give its name"));
    if (table && order) line.refuse(sentence("choose one of --table and --order"));
    if (fix && fixed.empty()) line.refuse(sentence("--fix needs -o FILE, the file to write"));
    if (!fix && !fixed.empty()) line.refuse(sentence("-o belongs to --fix"));
    refuseUnwritable(line, {"-o", fixed}, Writing::BesideOrStream);
    line.check();

    const FileForm form = table ? FileForm::TimeTable : order ? FileForm::Order : FileForm::Detect;
    const Judged judged = judge(readScheduleFile(contentsOf(path), path, form), durations);
    if (json)
        printJson(judged, durations);
    else
        printText({std::cout, line.language()}, path, judged, durations);
    if (fix) writeFixed(judged.file, fixed, durations, {std::cerr, line.language()});
    const bool is_refused = !judged.file.errors.empty() || (strict && judged.standsStill());
    return is_refused ? kInvalid : 0;
}

}  // namespace bscope::cli
