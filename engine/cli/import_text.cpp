#include "cli/import_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "cli/number_text.h"
#include "cli/report_text.h"
#include "cli/terminal.h"
#include "schedule/catalog.h"
#include "timeline/median.h"
#include "timeline/text_gantt.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

using nlohmann::ordered_json;

std::string english(const Sentence& said) {
    return say(said, Language::English);
}

std::vector<std::string> english(const std::vector<Sentence>& all) {
    std::vector<std::string> texts;
    for (const Sentence& each : all) texts.push_back(english(each));
    return texts;
}

void addKnown(ordered_json& object, const char* key, double value) {
    if (!std::isnan(value)) object[key] = value;
}

// The program alone, without its format: "Primus".
std::string programOf(const ImportOrigin& origin) {
    return origin.source.substr(0, origin.source.find(' '));
}

// What the program that recorded the run calls a rank's bubble, as a key: "bubble_as_primus_defines_it".
std::string bubbleKeyOfSource(const ImportOrigin& origin) {
    std::string name = programOf(origin);
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return "bubble_as_" + name + "_defines_it";
}

ordered_json rankJson(const ImportOrigin& origin, const RankReport& rank) {
    ordered_json out = {{"rank", rank.rank}, {"busy_ms", rank.busy_ms}};
    // Without both ends of a message its waiting and transfer are one number.
    out[origin.knows_transfers ? "wait_ms" : "wait_and_transfer_ms"] = rank.wait_ms;
    addKnown(out, "transfer_ms", rank.transfer_ms);
    out["bubble_of_total"] = rank.bubble_of_total;
    if (!std::isnan(rank.bubble_of_source)) out[bubbleKeyOfSource(origin)] = rank.bubble_of_source;
    out["peak_in_flight"] = rank.peak_in_flight;
    return out;
}

template <class Value>
ordered_json orNull(const std::optional<Value>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

std::string orderText(const std::string& schedule, int group_size, const ImportOrigin& origin) {
    if (const CatalogEntry* entry = findSchedule(schedule)) {
        std::string text = entry->title;
        if (group_size > 0) text += " in groups of " + std::to_string(group_size);
        return text + ": every operation in its place";
    }
    const CatalogEntry* nearest = findSchedule(origin.nearest_schedule);
    if (nearest == nullptr || !origin.first_difference)
        return "no schedule of the catalog allows these p, v and m";
    const FirstDifference& first = *origin.first_difference;
    return "none of the catalog; nearest is " + std::string(nearest->title) + ", from which rank " +
           std::to_string(first.rank) + " parts at its operation " + std::to_string(first.position) + ": " +
           (first.expected.empty() ? "nothing more" : first.expected) + " expected, " +
           (first.found.empty() ? "nothing more" : first.found) + " found";
}

std::string clockText(std::int64_t ns) {
    constexpr std::int64_t in_seconds = 10'000'000'000;
    return ns < in_seconds ? fixed(static_cast<double>(ns) / 1e3, 1) + " us"
                           : fixed(static_cast<double>(ns) / 1e9, 1) + " s";
}

void printOrigin(std::ostream& out, const ImportOrigin& origin) {
    const std::string moved = clockText(origin.max_shift_ns);
    if (origin.aligned && origin.max_shift_ns == 0)
        out << "clocks: as recorded; no operation starts before what it waits for has ended\n";
    else if (origin.aligned)
        out << "clocks: moved by up to " << moved
            << " against each other, so that no operation starts before what it waits for has ended\n";
    if (origin.slack_ns >= 0 && (origin.clocks != ImportOrigin::Clocks::Shared || origin.max_shift_ns > 0))
        out << "clocks: what the messages leave open: up to " << clockText(origin.slack_ns) << '\n';
    for (const Sentence& each : origin.contradictions) out << "clocks: " << english(each) << '\n';
    switch (origin.times) {
        case ImportOrigin::Times::Told:
            break;
        case ImportOrigin::Times::Kernels:
            out << "times: from an operation's first to its last kernel\n";
            break;
        case ImportOrigin::Times::Host:
            out << "times: the files hold no kernels; times are those of the host\n";
            break;
    }
    if (origin.operations_inferred)
        out << "inferred: what is a forward and what a backward follows from the messages between the ranks; "
               "the files name no operation\n";
    if (origin.numbers_inferred)
        out << "inferred: numbers of micro-batches follow from the order of the operations; the files do not "
               "tell them\n";
    for (const Sentence& note : origin.notes) out << "note: " << english(note) << '\n';
}

void printCosts(std::ostream& out, const ImportedRun& run) {
    out << "stage   rank   operation    median ms   least ms   greatest ms   times\n";
    for (const DurationSpread& each : run.durations) {
        if (each.op == Op::OptimizerStep) continue;
        out << aligned(std::to_string(each.stage), 5)
            << aligned(std::to_string(run.schedule.placement[static_cast<std::size_t>(each.stage)]), 7)
            << "   " << padded(std::string(opText(each.op)), 9) << aligned(fixed(each.median_ns / 1e6, 3), 13)
            << aligned(fixed(each.least_ns / 1e6, 3), 11) << aligned(fixed(each.greatest_ns / 1e6, 3), 14)
            << aligned(std::to_string(each.count), 8) << '\n';
    }
    out << '\n';
}

void printNumbers(std::ostream& out, const ImportOrigin& origin, const IterationReport& report) {
    out << "iteration " << report.iteration << ": " << fixed(report.iteration_ms, 1) << " ms\n"
        << "bubble " << percent(report.bubble_of_total) << " of total = 1 - compute / (p * iteration), "
        << percent(report.bubble_of_ideal) << " of ideal = idle / compute\n";
    if (!std::isnan(report.predicted_bubble_of_total))
        out << "predicted from its own costs " << percent(report.predicted_bubble_of_total) << ", "
            << fixed(report.predicted_iteration_ms, 1) << " ms; "
            << (report.theory_bubble_of_total ? "closed form for equal stages and a free link " +
                                                    percent(*report.theory_bubble_of_total)
                                              : std::string("no closed form"))
            << '\n';
    const bool defines = std::any_of(report.ranks.begin(), report.ranks.end(), [](const RankReport& rank) {
        return !std::isnan(rank.bubble_of_source);
    });
    const std::string program = programOf(origin),
                      definition = program + (program.ends_with('s') ? "'" : "'s") + " definition";
    out << "\nrank    busy ms"
        << (origin.knows_transfers ? "   wait ms   transfer ms" : "   wait and transfer ms") << "   bubble"
        << (defines ? "   " + definition : "") << '\n';
    for (const RankReport& rank : report.ranks) {
        out << aligned(std::to_string(rank.rank), 4) << aligned(fixed(rank.busy_ms, 1), 11)
            << aligned(fixed(rank.wait_ms, 1), origin.knows_transfers ? 10 : 23);
        if (origin.knows_transfers) out << aligned(fixed(rank.transfer_ms, 2), 14);
        out << aligned(percent(rank.bubble_of_total), 9);
        if (!std::isnan(rank.bubble_of_source))
            out << aligned(fixed(rank.bubble_of_source * 100, 2) + " %",
                           static_cast<int>(definition.size()) + 3);
        out << '\n';
    }
    out << '\n';
}

}  // namespace

ordered_json importedRowJson(const ImportOrigin& origin, const IterationReport& report) {
    ordered_json out = {{"iteration", report.iteration},
                        {"schedule", report.schedule},
                        {"p", report.p},
                        {"m", report.m},
                        {"v", report.v},
                        {"device", report.device},
                        {"provenance", toText(report.provenance)},
                        {"iteration_ms", report.iteration_ms},
                        {"span_ms", report.span_ms}};
    addKnown(out, "optimizer_ms", report.optimizer_ms);
    out["bubble_of_total"] = report.bubble_of_total;
    out["bubble_of_ideal"] = report.bubble_of_ideal;
    addKnown(out, "predicted_bubble_of_total", report.predicted_bubble_of_total);
    addKnown(out, "predicted_iteration_ms", report.predicted_iteration_ms);
    out["theory_bubble_of_total"] = orNull(report.theory_bubble_of_total);
    ordered_json& ranks = out["ranks"] = ordered_json::array();
    for (const RankReport& rank : report.ranks) ranks.push_back(rankJson(origin, rank));
    return out;
}

ordered_json sentenceJson(const Sentence& said) {
    ordered_json arguments = ordered_json::array();
    for (const Argument& argument : said.arguments)
        arguments.push_back(argument.words.empty() ? ordered_json(argument.text)
                                                   : sentenceJson(argument.words.front()));
    return {{"id", said.id}, {"arguments", std::move(arguments)}};
}

ordered_json recognisedJson(const std::vector<RecognisedFile>& files) {
    ordered_json out = ordered_json::array();
    for (const RecognisedFile& each : files)
        out.push_back({{"file", each.file}, {"as", english(each.as)}, {"words", sentenceJson(each.as)}});
    return {{"files", std::move(out)}};
}

ordered_json importJson(const ImportedRun& run, std::optional<int> iteration) {
    const ImportOrigin& origin = run.origin;
    ordered_json difference;
    if (origin.first_difference)
        difference = {{"rank", origin.first_difference->rank},
                      {"position", origin.first_difference->position},
                      {"expected", origin.first_difference->expected},
                      {"found", origin.first_difference->found}};
    ordered_json rows = ordered_json::array();
    for (const IterationReport& report : run.reports)
        if (!iteration || report.iteration == *iteration)
            rows.push_back(run.recorded ? reportJson(report) : importedRowJson(origin, report));
    const ScheduleParams& params = run.schedule.params;
    return {{"source", origin.source},
            {"ranks", params.p},
            {"p", params.p},
            {"v", params.v},
            {"m", params.m},
            {"iterations", run.reports.size()},
            {"schedule", orNull(run.recognition.schedule)},
            {"nearest_schedule", orNull(run.recognition.nearest)},
            {"first_difference", std::move(difference)},
            {"inferred", origin.numbers_inferred || origin.operations_inferred},
            {"clock",
             {{"aligned", origin.aligned},
              {"max_shift_us", static_cast<double>(origin.max_shift_ns) / 1e3},
              {"contradictions", english(origin.contradictions)}}},
            {"provenance", toText(run.timeline.provenance())},
            {"notes", english(origin.notes)},
            {"rows", std::move(rows)}};
}

void printImport(std::ostream& out, const ImportedRun& run, const IterationReport& report) {
    const ScheduleParams& params = run.schedule.params;
    out << run.origin.source << " · p=" << params.p << " v=" << params.v << " m=" << params.m << " · "
        << run.reports.size() << (run.reports.size() == 1 ? " iteration" : " iterations") << "   ["
        << toText(report.provenance) << "]\n"
        << "schedule: " << orderText(run.schedule.name, params.group_size, run.origin) << '\n';
    printOrigin(out, run.origin);
    out << '\n';
    printCosts(out, run);
    printNumbers(out, run.origin, report);
    out << textGantt(run.timeline, report.iteration, outputTerminal().columns, outputTerminal().colours);
}

void printImportedIteration(std::ostream& out, const IterationStart& start, const IterationReport& report) {
    out << start.import->source << " · p=" << report.p << " v=" << report.v << " m=" << report.m << "   ["
        << toText(report.provenance) << "]\n"
        << "schedule: " << orderText(report.schedule, start.config.params.group_size, *start.import) << '\n';
    printOrigin(out, *start.import);
    out << '\n';
    printNumbers(out, *start.import, report);
}

namespace {

double medianOf(const ImportedRun& run, double IterationReport::*number) {
    std::vector<double> values;
    for (const IterationReport& report : run.reports) values.push_back(report.*number);
    return median(std::move(values));
}

}  // namespace

void printComparison(std::ostream& out, const ImportedRun& run, const ImportedRun& other) {
    const auto row = [&out](const std::string& name, const std::string& a, const std::string& b) {
        out << padded(name, 34) << aligned(a, 16) << aligned(b, 16) << '\n';
    };
    const auto number = [&](const char* name, double a, double b, int decimals, const char* unit) {
        row(name, fixed(a, decimals) + unit, fixed(b, decimals) + unit);
    };
    const auto sizes = [](const ImportedRun& of) {
        const ScheduleParams& params = of.schedule.params;
        return std::to_string(params.p) + ", " + std::to_string(params.v) + ", " + std::to_string(params.m);
    };
    out << "\ntwo runs, medians over their iterations   [" << toText(Provenance::Imported) << "]\n";
    row("", "this run", "the other");
    row("schedule", run.schedule.name, other.schedule.name);
    row("p, v, m", sizes(run), sizes(other));
    row("iterations", std::to_string(run.reports.size()), std::to_string(other.reports.size()));
    const double ms = medianOf(run, &IterationReport::iteration_ms),
                 other_ms = medianOf(other, &IterationReport::iteration_ms);
    number("iteration", ms, other_ms, 1, " ms");
    number("a micro-batch", ms / run.schedule.params.m, other_ms / other.schedule.params.m, 2, " ms");
    number("bubble of total", 100 * medianOf(run, &IterationReport::bubble_of_total),
           100 * medianOf(other, &IterationReport::bubble_of_total), 1, " %");
    const auto& stages = run.origin.costs.stages;
    const auto& others = other.origin.costs.stages;
    if (stages.size() != others.size()) return;
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        for (const Op op : {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight})
            if (stages[stage].duration_ns(op) > 0 || others[stage].duration_ns(op) > 0)
                number(("stage " + std::to_string(stage) + " " + std::string(opText(op))).c_str(),
                       stages[stage].duration_ns(op) / 1e6, others[stage].duration_ns(op) / 1e6, 3, " ms");
}

}  // namespace bscope::cli
