#include "cli/report/import_text.h"

#include <algorithm>
#include <cmath>

#include "catalog/catalog.h"
#include "cli/input/terminal.h"
#include "cli/print/line_printer.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/advice_text.h"
#include "cli/report/bubble_text.h"
#include "cli/report/straggler_text.h"
#include "timeline/median.h"
#include "report/start_up_note.h"
#include "view/text/text_gantt.h"
#include "view/view_data.h"
#include "words/factor_text.h"
#include "words/number_text.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

Sentence orNothing(const std::string& cell) {
    return cell.empty() ? sentence("nothing more") : sentence("{0}", cell);
}

Sentence orderWords(const std::string& schedule, int group_size, const ImportOrigin& origin) {
    if (const CatalogEntry* entry = findSchedule(schedule)) {
        const Sentence title{entry->title, {}};
        if (!origin.aligned)
            return origin.clocks == ImportOrigin::Clocks::Shared
                       ? sentence(
                             "the order of {0}, but operations contradict each other on one clock: what was "
                             "read as operations is not operations, or not of one pipeline, and the numbers "
                             "below are wrong",
                             title)
                       : sentence(
                             "the order of {0}, but operations contradict each other on any clocks: what was "
                             "read as operations is not operations, or not of one pipeline, or the clocks "
                             "drifted, and the numbers below are wrong",
                             title);
        // Only the numbers of its backwards tell it from the other.
        if (schedule == "gpipe" && origin.numbers_inferred)
            return sentence("{0} or {1}: every operation in its place", title,
                            Sentence{findSchedule("gpipe-lifo")->title, {}});
        return group_size > 0
                   ? sentence("{0} in groups of {1}: every operation in its place", title, group_size)
                   : sentence("{0}: every operation in its place", title);
    }
    const CatalogEntry* nearest = findSchedule(origin.nearest_schedule);
    if (nearest == nullptr || !origin.first_difference)
        return sentence("no schedule of the catalog allows these p, v and m");
    const FirstDifference& first = *origin.first_difference;
    return sentence(
        "not in the catalog; nearest is {0}, from which rank {1} differs at its operation {2}: {3} expected, "
        "{4} found",
        Sentence{nearest->title, {}}, first.rank, first.position, orNothing(first.expected),
        orNothing(first.found));
}

std::string clockText(std::int64_t ns) {
    constexpr std::int64_t in_seconds = 10'000'000'000;
    return ns < in_seconds ? fixed(static_cast<double>(ns) / 1e3, 1) + " us"
                           : fixed(static_cast<double>(ns) / 1e9, 1) + " s";
}

void printOrigin(const LinePrinter& printer, const ImportOrigin& origin) {
    const bool in_order = origin.aligned && origin.contradictions.empty();
    if (in_order && origin.max_shift_ns == 0)
        printer.line("clocks: as recorded; no operation starts before what it waits for has ended");
    else if (in_order)
        printer.line(
            "clocks: moved by up to {0} against each other, so that no operation starts before what it waits "
            "for has ended",
            clockText(origin.max_shift_ns));
    if (origin.slack_ns >= 0 && (origin.clocks != ImportOrigin::Clocks::Shared || origin.max_shift_ns > 0))
        printer.line("clocks: error that the messages cannot rule out: up to {0}",
                     clockText(origin.slack_ns));
    for (const Sentence& each : origin.contradictions) printer.line("clocks: {0}", each);
    switch (origin.times) {
        case ImportOrigin::Times::Recorded:
            break;
        case ImportOrigin::Times::Kernels:
            printer.line("times: from an operation's first to its last kernel");
            break;
        case ImportOrigin::Times::Host:
            printer.line(
                "times: the files hold no kernels; the time of an operation is the host's, from the arrival "
                "of its message to its return");
            if (origin.operations_inferred && !roundsToNothing(origin.understated_by))
                printer.line(
                    "times: no file names the operations, so that what the host does between a message and "
                    "an operation's calls counts as work: the bubble may be too low, by up to {0} percentage "
                    "points, and on busy cores further off, either way. A smaller difference from a run "
                    "whose operations are named means nothing",
                    fixed(100 * origin.understated_by, 1));
            break;
        case ImportOrigin::Times::Ranges:
            if (roundsToNothing(origin.understated_by)) {
                printer.line(
                    "times: the files hold neither kernels nor calls, only ranges; the time of an operation "
                    "is the host's, from the arrival of its message to the end of its range or to its send, "
                    "so handing over counts as work. Record with ProfilerActivity.CPU and keep all events");
                break;
            }
            printer.line(
                "times: the files hold neither kernels nor calls, only ranges; the time of an operation is "
                "the host's, from the arrival of its message to the end of its range or to its send, so "
                "handing over counts as work: the bubble is too low, by up to {0} percentage points if "
                "operations took as long as the shortest of their kind. Record with ProfilerActivity.CPU and "
                "keep all events",
                fixed(100 * origin.understated_by, 1));
            break;
    }
    if (origin.operations_inferred)
        printer.line(
            "inferred: what is a forward and what a backward follows from the messages between the ranks; "
            "the files name no operation");
    if (origin.numbers_inferred)
        printer.line(
            "inferred: numbers of micro-batches follow from the order of the operations; the files do not "
            "contain them");
    for (const Sentence& note : origin.notes) printer.line("note: {0}", note);
    if (const std::optional<int> left_out = startUpLeftOut(origin.notes))
        printer.line("note: --iteration {0} shows the iteration that is left out", *left_out);
}

void printCosts(const LinePrinter& printer, const ImportedRun& run) {
    TextTable table("rrlrrrr");
    table.row({printer.words("stage"), printer.words("rank"), printer.words("operation"),
               printer.words("median ms"), printer.words("least ms"), printer.words("greatest ms"),
               printer.words("times")});
    for (const DurationSpread& each : run.durations) {
        if (each.op == Op::OptimizerStep) continue;
        table.row({std::to_string(each.stage),
                   std::to_string(run.schedule.placement[static_cast<std::size_t>(each.stage)]),
                   std::string(opText(each.op)), fixed(each.median_ns / 1e6, 3),
                   fixed(each.least_ns / 1e6, 3), fixed(each.greatest_ns / 1e6, 3),
                   std::to_string(each.count)});
    }
    table.print(printer.out());
    printer.out() << '\n';
    const ImportOrigin& origin = run.origin;
    if (origin.handovers > 0)
        printer.line("from an operation to the next one of its rank: {0} ms, median of {1}",
                     millisecondsText(origin.costs.handover_ns / 1e6), origin.handovers);
    if (origin.messages > 0)
        printer.line("from an operation to the one on another rank that waited for it: {0} ms, median of {1}",
                     millisecondsText(origin.costs.hopNs() / 1e6), origin.messages);
    if (origin.handovers > 0 || origin.messages > 0) printer.out() << '\n';
}

void printNumbers(const LinePrinter& printer, const ImportOrigin& origin, const IterationReport& report) {
    printer.line("iteration {0}: {1} ms", numberOf(report), milliseconds(report.iteration_ms));
    printer.line("bubble {0} of total = 1 - compute / (p * iteration), {1} of ideal = idle / compute",
                 percent(report.bubble_of_total), percent(report.bubble_of_ideal));
    if (!std::isnan(report.predicted_bubble_of_total))
        printer.line("predicted from its own costs {0}, {1} ms; {2}",
                     percent(report.predicted_bubble_of_total), milliseconds(report.predicted_iteration_ms),
                     report.theory_bubble_of_total ? sentence("theory for equal stages and a free link {0}",
                                                              percent(*report.theory_bubble_of_total))
                                                   : sentence("no theory known"));
    const bool defines = std::any_of(report.ranks.begin(), report.ranks.end(), [](const RankReport& rank) {
        return !std::isnan(rank.bubble_of_source);
    });
    std::vector<std::string> head{printer.words("rank"), printer.words("busy ms")};
    if (origin.knows_transfers) {
        head.push_back(printer.words("wait ms"));
        head.push_back(printer.words("transfer ms"));
    } else {
        head.push_back(printer.words("wait and transfer ms"));
    }
    head.push_back(printer.words("bubble"));
    if (defines) head.push_back(printer.words("as {0} defines it", programOf(origin)));
    TextTable table(std::string(head.size(), 'r'));
    table.row(std::move(head));
    for (const RankReport& rank : report.ranks) {
        std::vector<std::string> cells{std::to_string(rank.rank), fixed(rank.busy_ms, 1),
                                       fixed(rank.wait_ms, 1)};
        if (origin.knows_transfers) cells.push_back(fixed(rank.transfer_ms, 2));
        cells.push_back(percent(rank.bubble_of_total));
        if (defines)
            cells.push_back(std::isnan(rank.bubble_of_source) ? "-"
                                                              : fixed(rank.bubble_of_source * 100, 2) + " %");
        table.row(std::move(cells));
    }
    printer.out() << '\n';
    table.print(printer.out());
    printer.out() << '\n';
}

double medianOf(const ImportedRun& run, double IterationReport::*number) {
    std::vector<double> values;
    for (const IterationReport& report : run.reports)
        if (report.iteration != run.start_up) values.push_back(report.*number);
    return median(std::move(values));
}

std::string sizesText(const ImportedRun& run) {
    const ScheduleParams& params = run.schedule.params;
    return std::to_string(params.p) + ", " + std::to_string(params.v) + ", " + std::to_string(params.m);
}

}  // namespace

std::string programOf(const ImportOrigin& origin) {
    return origin.source.substr(0, origin.source.find(' '));
}

void printRecognised(std::ostream& out, const std::vector<RecognisedFile>& files, Language language) {
    const LinePrinter printer(out, language);
    if (files.empty()) printer.line("there are no files");
    for (const RecognisedFile& each : files) printer.line("{0}: {1}", each.file, each.as);
}

void printImport(std::ostream& out, const ImportedRun& run, const IterationReport& report,
                 Language language) {
    const LinePrinter printer(out, language);
    const ScheduleParams& params = run.schedule.params;
    const std::size_t count = run.reports.size();
    out << shown(run.origin.source) << " · p=" << params.p << " v=" << params.v << " m=" << params.m << " · "
        << (count == 1 ? printer.words("1 iteration") : printer.words("{0} iterations", count)) << "   ["
        << toText(report.provenance) << "]\n";
    printer.line("schedule: {0}", orderWords(run.schedule.name, params.group_size, run.origin));
    printHeadline(printer, stragglerOf(run), adviceRequest(run));
    printOrigin(printer, run.origin);
    out << '\n';
    printCosts(printer, run);
    printNumbers(printer, run.origin, report);
    const BubbleCauses causes = causesOf(run, report.iteration);
    printOutliers(printer, causes.usual().outliers());
    printCauses(printer, causes.totals(), causes.idle_ns());
    printWaterfall(printer, run.schedule, causes);
    out << '\n'
        << textGantt(run.timeline, report.iteration, outputTerminal().columns, outputTerminal().colours,
                     language);
}

void printImportCaveats(const LinePrinter& printer, const IterationStart& start,
                        const IterationReport& report) {
    printer.line("schedule: {0}", orderWords(report.schedule, start.config.params.group_size, *start.import));
    printOrigin(printer, *start.import);
}

void printImportedIteration(std::ostream& out, const IterationStart& start, const IterationReport& report,
                            Language language) {
    const LinePrinter printer(out, language);
    out << shown(start.import->source) << " · p=" << report.p << " v=" << report.v << " m=" << report.m
        << "   [" << toText(report.provenance) << "]\n";
    printImportCaveats(printer, start, report);
    out << '\n';
    printNumbers(printer, *start.import, report);
}

void printComparison(std::ostream& out, const ImportedRun& run, const ImportedRun& other, Language language) {
    const LinePrinter printer(out, language);
    TextTable table("lrr");
    const auto number = [&](const std::string& name, double a, double b, int decimals, const char* unit) {
        table.row({name, fixed(a, decimals) + unit, fixed(b, decimals) + unit});
    };
    out << '\n' << printer.words("two runs, medians over their iterations") << '\n';
    table.row({"", printer.words("this run"), printer.words("the other")});
    table.row({printer.words("source"), run.origin.source, other.origin.source});
    table.row(
        {printer.words("times are"), toText(run.timeline.provenance()), toText(other.timeline.provenance())});
    table.row({printer.words("schedule"), run.schedule.name, other.schedule.name});
    table.row({"p, v, m", sizesText(run), sizesText(other)});
    table.row({printer.words("iterations"), std::to_string(run.reports.size()),
               std::to_string(other.reports.size())});
    const double ms = medianOf(run, &IterationReport::iteration_ms),
                 other_ms = medianOf(other, &IterationReport::iteration_ms);
    number(printer.words("one iteration"), ms, other_ms, 1, " ms");
    number(printer.words("one micro-batch"), ms / run.schedule.params.m, other_ms / other.schedule.params.m,
           2, " ms");
    number(printer.words("bubble of total"), 100 * medianOf(run, &IterationReport::bubble_of_total),
           100 * medianOf(other, &IterationReport::bubble_of_total), 1, " %");
    const auto& stages = run.origin.costs.stages;
    const auto& others = other.origin.costs.stages;
    for (std::size_t stage = 0; stages.size() == others.size() && stage < stages.size(); ++stage)
        for (const Op op : {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight})
            if (stages[stage].duration_ns(op) > 0 || others[stage].duration_ns(op) > 0)
                number(printer.words("stage {0}, {1}", stage, std::string(opText(op))),
                       stages[stage].duration_ns(op) / 1e6, others[stage].duration_ns(op) / 1e6, 3, " ms");
    table.print(out);
}

}  // namespace bscope::cli
