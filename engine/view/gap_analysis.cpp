#include "view/gap_analysis.h"

#include <algorithm>
#include <span>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

RunFacts factsOf(const IterationView& view, const Schedule& order) {
    RunFacts facts = factsOfRun(order, view.config, view.import.get(), view.work_per_stage);
    facts.series = view.series;
    if (view.report) facts.launch_gaps_ns = launchGaps_ns(*view.report);
    return facts;
}

// What the numbers of a complete iteration are of, or the plan's.
std::shared_ptr<const Timeline> eventsOf(const IterationView& view) {
    if (view.ran->empty()) return view.planned;
    return view.summed ? view.summed : view.ran;
}

}  // namespace

std::shared_ptr<const GapAnalysis> analysisOf(const IterationView& view, const Schedule& order) {
    const std::shared_ptr<const Timeline> events = eventsOf(view);
    if (!hasComputed(*events, view.iteration)) return nullptr;
    return std::make_shared<const GapAnalysis>(events, summarize(*events, view.iteration),
                                               factsOf(view, order));
}

std::size_t operationsOf(const IterationView& view) {
    const Timeline& events = *eventsOf(view);
    std::size_t operations = 0;
    for (int rank = 0; rank < events.ranks(); ++rank)
        operations += ofIteration(events.compute(rank), view.iteration).size();
    return operations;
}

std::shared_ptr<const GapAnalysis> analysisSoFar(const IterationView& view, const Schedule& order,
                                                 std::shared_ptr<const Timeline> settled,
                                                 const IterationSummary& summary) {
    return std::make_shared<const GapAnalysis>(std::move(settled), summary, factsOf(view, order));
}

std::vector<Reason> GapAnalysis::criticalPath() const {
    Gap whole;  // as if a rank had nothing to do from the start to the end
    whole.start_ns = causes.summary().start_ns;
    return causes.reasons(whole);
}

std::optional<std::int64_t> GapAnalysis::slackOf(const Event& event) const {
    const EventGraph& graph = causes.graph();
    if (event.rank < 0 || event.rank >= graph.ranks()) return std::nullopt;
    const auto nodes =
        std::span(graph.nodes())
            .subspan(static_cast<std::size_t>(graph.first(event.rank)),
                     static_cast<std::size_t>(graph.past(event.rank) - graph.first(event.rank)));
    const auto own = std::ranges::find_if(nodes, [&event](const EventGraph::Node& node) {
        return node.event->start_ns == event.start_ns && node.event->op == event.op &&
               node.event->action() == event.action();
    });
    if (own == nodes.end()) return std::nullopt;
    return slack_ns[static_cast<std::size_t>(&*own - graph.nodes().data())];
}

CauseFamily familyOf(BubbleCause cause) {
    switch (cause) {
        case BubbleCause::Fill:
        case BubbleCause::Drain:
            return CauseFamily::FillDrain;
        case BubbleCause::Dependency:
            return CauseFamily::Dependency;
        case BubbleCause::LinkLatency:
        case BubbleCause::LinkBandwidth:
            return CauseFamily::Network;
        default:
            return CauseFamily::Other;
    }
}

}  // namespace bscope
