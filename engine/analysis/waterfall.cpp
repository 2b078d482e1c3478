#include "analysis/waterfall.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "schedule/index.h"
#include "timeline/mean_durations.h"

namespace bscope {

namespace {

using Kind = WaterfallStep::Kind;

struct Played {
    std::int64_t iteration_ns = 0, busy_ns = 0;
};

// The order of the iteration with other durations. pause: whether ranks begin as late as they did.
struct Replay {
    const EventGraph& graph;
    std::function<std::int64_t(const EventGraph::Node&)> duration, message;
    bool pauses = false;

    Played play() const {
        std::vector<std::int64_t> ends(graph.nodes().size(), 0);
        Played played;
        std::int64_t first = INT64_MAX, last = INT64_MIN;
        for (const int index : graph.order()) {
            const EventGraph::Node& node = graph.node(index);
            std::int64_t start = node.before != EventGraph::kNone ? ends[at(node.before)] : 0;
            if (node.producer != EventGraph::kNone)
                start = std::max(start, ends[at(node.producer)] + message(node));
            if (pauses) start += node.pause_ns();
            const std::int64_t own = duration(node);
            ends[at(index)] = start + own;
            if (!isCompute(node.event->op)) continue;
            played.busy_ns += own;
            first = std::min(first, start);
            last = std::max(last, start + own);
        }
        played.iteration_ns = last > first ? last - first : 0;
        return played;
    }
};

double bubbleOf(const Played& played, int ranks) {
    const double total = static_cast<double>(played.iteration_ns) * ranks;
    return total > 0 ? 1 - static_cast<double>(played.busy_ns) / total : 0;
}

// F, I and W of equal length and B of two, so that all work together lasts as long as it does with the means.
std::int64_t unit_ns(const BubbleCauses& causes) {
    std::int64_t units = 0, work = 0;
    for (const EventGraph::Node& node : causes.graph().nodes()) {
        const Event& e = *node.event;
        if (!isCompute(e.op) || e.op == Op::Recompute) continue;
        units += e.op == Op::Backward ? 2 : 1;
        work += causes.usual().equalStages_ns(e);
    }
    return units > 0 ? work / units : 0;
}

}  // namespace

const char* toText(Kind kind) {
    static constexpr const char* kNames[] = {"closed_form", "ratio",         "unequal_stages", "slow_rank",
                                             "link",        "recomputation", "launch_gaps",    "scatter"};
    return kNames[static_cast<std::size_t>(kind)];
}

Sentence wordsOf(Kind kind) {
    static constexpr const char* kWordsOfSteps[] = {"F = I = W, equal stages, a free link",
                                                    "real ratio of F, B and W",
                                                    "unequal stages",
                                                    "slow rank",
                                                    "link",
                                                    "recomputation",
                                                    "host time",
                                                    "noise"};
    return sentence(kWordsOfSteps[static_cast<std::size_t>(kind)]);
}

std::optional<Waterfall> waterfall(const BubbleCauses& causes, std::optional<double> closed_form) {
    const IterationSummary& summary = causes.summary();
    if (summary.is_stream) return std::nullopt;
    const EventGraph& graph = causes.graph();
    const Usual& usual = causes.usual();
    const int ranks = graph.ranks();
    Waterfall found;
    found.iterations = usual.iterations();
    const auto add = [&](Kind kind, std::int64_t iteration_ns, double bubble) {
        WaterfallStep step{kind, iteration_ns, bubble, iteration_ns, bubble};
        if (!found.steps.empty()) {
            step.added_ns -= found.steps.back().iteration_ns;
            step.added_bubble -= found.steps.back().bubble_of_total;
        }
        found.steps.push_back(step);
    };
    const auto addPlayed = [&](Kind kind, const Replay& replay) {
        const Played played = replay.play();
        add(kind, played.iteration_ns, bubbleOf(played, ranks));
    };

    const std::int64_t unit = unit_ns(causes);
    const auto none = [](const EventGraph::Node&) { return std::int64_t{0}; };
    const auto computes = [](const auto& of) {
        return [of](const EventGraph::Node& node) {
            const Op op = node.event->op;
            return isCompute(op) && op != Op::Recompute ? of(*node.event) : 0;
        };
    };
    Replay replay{graph, computes([unit](const Event& e) { return e.op == Op::Backward ? 2 * unit : unit; }),
                  none};
    Played equal = replay.play();
    found.is_closed_form = closed_form && *closed_form < 1;
    if (found.is_closed_form)
        equal.iteration_ns = std::llround(static_cast<double>(equal.busy_ns) / (ranks * (1 - *closed_form)));
    add(Kind::Theory, equal.iteration_ns, found.is_closed_form ? *closed_form : bubbleOf(equal, ranks));

    replay.duration = computes([&](const Event& e) { return usual.equalStages_ns(e); });
    addPlayed(Kind::Ratio, replay);
    replay.duration = computes([&](const Event& e) { return usual.ownSpeed_ns(e); });
    addPlayed(Kind::UnequalStages, replay);
    replay.duration = computes([&](const Event& e) { return usual.median_ns(e); });
    addPlayed(Kind::SlowRank, replay);
    replay.message = [&](const EventGraph::Node& node) {
        return usual.message_ns(graph.node(node.producer).event->rank, node.event->rank);
    };
    addPlayed(Kind::Link, replay);
    replay.duration = [&](const EventGraph::Node& node) { return usual.median_ns(*node.event); };
    addPlayed(Kind::Recomputation, replay);
    replay.pauses = true;
    addPlayed(Kind::LaunchGaps, replay);
    add(Kind::Scatter, summary.iteration_ns, summary.bubble_of_total);

    const Outliers& outliers = usual.outliers();
    const auto name = [&](Kind kind, const std::optional<Outlier>& outlier) {
        WaterfallStep& step = found.steps[static_cast<std::size_t>(kind)];
        if (outlier) step.index = outlier->index, step.to = outlier->to, step.twin = outlier->twin;
    };
    name(Kind::UnequalStages, outliers.slow_stage);
    name(Kind::SlowRank, outliers.slow_rank);
    name(Kind::Link, outliers.slow_link);
    return found;
}

std::optional<Waterfall> waterfall(const BubbleCauses& causes, const Schedule& order) {
    const Costs equal = unitCosts(order.stageCount(), 1, 1, 1, 0);
    return waterfall(causes, closedFormBubble(order, equal, Recompute::None));
}

Sentence Waterfall::comparedBy() const {
    if (iterations < 2)
        return sentence("Stages and ranks are compared in this iteration alone: what differs may be noise.");
    if (iterations < static_cast<int>(kLeastInSeries))
        return sentence(
            "Stages and ranks are compared by the medians of {0} iterations: too few to name one of them.",
            iterations);
    return sentence("Stages and ranks are compared by the medians of {0} iterations; the rest is noise.",
                    iterations);
}

}  // namespace bscope
