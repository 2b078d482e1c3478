#include "cli/input/analysed_run.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

#include "analysis/iteration_series.h"
#include "catalog/catalog.h"
#include "cli/print/line_printer.h"
#include "timeline/median.h"
#include "view/view_data.h"
#include "words/sentence_error.h"

namespace bscope::cli {

namespace {

// Medians of the events, of a recording whose reports hold no costs.
Costs costsOfEvents(const EventGraph& graph, int stages) {
    std::vector<std::array<std::vector<double>, kOpCount>> durations(static_cast<std::size_t>(stages));
    for (const EventGraph::Node& node : graph.nodes()) {
        const Event& e = *node.event;
        if (e.stage >= 0 && e.stage < stages)
            durations[static_cast<std::size_t>(e.stage)][static_cast<std::size_t>(e.op)].push_back(
                static_cast<double>(e.duration_ns()));
    }
    Costs costs;
    for (const auto& of_stage : durations) {
        StageCosts& stage = costs.stages.emplace_back();
        for (const DurationField& field : kDurationFields)
            if (const auto& each = of_stage[static_cast<std::size_t>(field.op)]; !each.empty())
                stage.*field.ns = median(each);
    }
    return costs;
}

// The last iterations under the configuration of the report; empty of a stream, whose iterations are not
// known without their neighbours, and of iterations too large to look at many.
std::set<std::int32_t> recentIterations(const RunLog& log, const IterationReport& report) {
    const auto start = log.startOf(report.iteration);
    std::set<std::int32_t> recent;
    if (!start) return recent;
    const Schedule order =
        start->schedule ? *start->schedule : makeSchedule(start->config.schedule, start->config.params);
    std::size_t operations = 0;
    for (const auto& of_rank : order.orders) operations += of_rank.size();
    if (order.step_every > 0 || operations > kMostOperationsForStraggler) return recent;
    for (auto each = log.reports().rbegin();
         each != log.reports().rend() && recent.size() < kMostForStraggler; ++each) {
        const auto its = log.startOf(each->iteration);
        if (each->isTraced() && its && its->iteration == start->iteration) recent.insert(each->iteration);
    }
    return recent;
}

std::optional<Straggler> stragglerIn(const RunLog& log, const std::set<std::int32_t>& iterations,
                                     RunFacts facts) {
    std::vector<Outliers> outliers;
    for (const std::int32_t iteration : iterations) {
        const Timeline timeline = log.timeline(iteration);
        const auto report = std::ranges::find(log.reports(), iteration, &IterationReport::iteration);
        if (!hasComputed(timeline, iteration) || report == log.reports().end()) continue;
        facts.launch_gaps_ns = launchGaps_ns(*report);
        facts.series.reset();  // each by itself
        const EventGraph graph(timeline, iteration, timeline.begin_ns());
        outliers.push_back(Usual(graph, facts).outliers());
    }
    return stragglerOf(outliers);
}

// The last ones of the configuration that are there.
SharedSeries seriesIn(const RunLog& log, const IterationReport& report, const IterationStart& start) {
    const std::set<std::int32_t> recent = recentIterations(log, report);
    SeriesMedians medians;
    for (auto each = recent.rbegin(); each != recent.rend() && medians.size() < kSeriesIterations; ++each) {
        const Timeline timeline = log.timeline(*each);
        if (hasComputed(timeline, *each))
            medians.push_back(
                iterationMedians(timeline, *each, timeline.provenance() == Provenance::Measured));
    }
    return seriesOf(std::move(medians), start.import != nullptr);
}

bool isTheSame(const RunLog& one, const RunLog& other, const IterationReport& report) {
    const auto a = one.startOf(report.iteration), b = other.startOf(report.iteration);
    const auto twin = std::ranges::find(other.reports(), report.iteration, &IterationReport::iteration);
    return twin != other.reports().end() && twin->iteration_ms == report.iteration_ms &&
           a.has_value() == b.has_value() &&
           (!a || (a->iteration == b->iteration && a->config == b->config && a->start_ns == b->start_ns));
}

}  // namespace

AnalysedRun analysedRun(const RunLog& log, const IterationReport& report) {
    const auto start = log.startOf(report.iteration);
    if (!start) throw SentenceError<>(sentence("the recording does not state what ran"));
    AnalysedRun run{*start, report, {}, {}, {}, log.timelineToSummarize(report.iteration)};
    if (!hasComputed(run.timeline, report.iteration))
        throw SentenceError<>(
            sentence("iteration {0} ran without tracing, so nothing is known of its gaps", numberOf(report)));
    run.schedule =
        start->schedule ? *start->schedule : makeSchedule(start->config.schedule, start->config.params);
    run.facts = factsOfIteration(run.schedule, *start, report);
    run.facts.series = seriesIn(log, report, *start);
    // The later an iteration of a configuration, the more of them its medians are of.
    const IterationReport& last = log.lastTraced();
    const auto last_start = log.startOf(last.iteration);
    const bool same = last_start && last_start->iteration == start->iteration;
    run.costs = start->import ? start->import->costs : (same ? last : report).costs;
    if (run.costs.stages.size() != run.schedule.placement.size())
        run.costs = costsOfEvents(EventGraph(run.timeline, report.iteration, run.timeline.begin_ns()),
                                  run.schedule.stageCount());
    return run;
}

const IterationReport& typicalIteration(const RunLog& log) {
    if (log.reports().empty()) throw SentenceError<>(sentence("the recording holds no complete iteration"));
    const auto last = log.startOf(log.lastTraced().iteration);
    std::vector<const IterationReport*> alike;
    std::vector<double> lengths;
    for (const IterationReport& report : log.reports()) {
        const auto start = log.startOf(report.iteration);
        if (!report.isTraced() || !start || !last || start->iteration != last->iteration) continue;
        alike.push_back(&report);
        lengths.push_back(report.iteration_ms);
    }
    if (alike.empty()) throw SentenceError<>(sentence("the recording holds no traced iteration"));
    return *alike[nearestToMedian(lengths)];
}

std::string AnalysedRun::title() const {
    return schedule.name + ' ' + sizesText(start.config.params, start.config.sequence_parallel);
}

AnalysedRun readAnalysedRun(const std::filesystem::path& file, std::optional<int> number, Language language,
                            const std::function<void()>& between_readings) {
    const LinePrinter printer(std::cerr, language);
    RunLog reports(RunLog::Keep::Reports);
    std::vector<Sentence> reported = readRecording(file, reports).warnings();
    printer.lines(reported);
    const IterationReport* report = number ? &reports.reportNumbered(*number) : &typicalIteration(reports);
    const std::set<std::int32_t> recent = recentIterations(reports, *report);
    std::set<std::int32_t> kept = recent;
    kept.insert(report->iteration);
    if (between_readings) between_readings();
    RunLog events(RunLog::Keep::Everything, kept);
    for (const Sentence& each : readRecording(file, events).warnings())
        if (std::ranges::find(reported, each) == reported.end()) printer.lines({&each, 1});
    if (!isTheSame(reports, events, *report))
        throw SentenceError<>(
            sentence("{0} changed while it was read: iteration {1} is no longer what it was at first. Try "
                     "again when nothing writes to the file",
                     file.string(), numberOf(*report)));
    AnalysedRun run = analysedRun(events, *report);
    run.straggler = stragglerIn(events, recent, run.facts);
    for (const IterationReport& each : reports.reports()) {
        const auto start = reports.startOf(each.iteration);
        if (!each.isTraced() || !start || start->iteration != run.start.iteration ||
            each.iteration == start->iteration || disturbanceOf(each) != Disturbance::None)
            continue;
        run.lengths_ms.push_back(each.iteration_ms);
        run.bubbles.push_back(each.bubble_of_total);
    }
    run.outcomes = events.outcomes();
    run.warnings = std::move(reported);
    return run;
}

AdviceRequest adviceRequest(const AnalysedRun& run, const BubbleCauses& causes) {
    auto order = std::make_shared<const Schedule>(run.schedule);
    std::vector<double> slowness;
    for (int rank = 0; rank < causes.graph().ranks(); ++rank)
        slowness.push_back(causes.usual().slowness(rank));
    if (!run.knowsModel())
        return requestOfImport(run.start.config, run.costs, std::move(order), std::move(slowness));
    AdviceRequest request;
    request.known = {run.start.config, run.costs, std::move(order), std::move(slowness)};
    request.known.learnPassing(run.timeline, run.report.iteration);
    return request;
}

}  // namespace bscope::cli
