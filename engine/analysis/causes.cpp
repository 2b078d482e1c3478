#include "analysis/causes.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "schedule/index.h"

namespace bscope {

namespace {

std::int64_t& of(CauseParts& parts, BubbleCause cause) {
    return parts[static_cast<std::size_t>(cause)];
}

void add(CauseParts& to, const CauseParts& more) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
}

std::int64_t sumOf(const CauseParts& parts) {
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

BubbleCause greatest(const CauseParts& parts) {
    return static_cast<BubbleCause>(std::ranges::max_element(parts) - parts.begin());
}

// None below 0; what is below is taken from the others in proportion, and what rounding leaves from the
// greatest. The sum, which is above 0, stays.
CauseParts withoutNegatives(CauseParts parts) {
    const std::int64_t sum = sumOf(parts);
    for (std::int64_t& part : parts) part = std::max<std::int64_t>(part, 0);
    const std::int64_t positive = sumOf(parts);
    if (positive == sum) return parts;
    const double share = static_cast<double>(sum) / static_cast<double>(positive);
    for (std::int64_t& part : parts) part = static_cast<std::int64_t>(static_cast<double>(part) * share);
    of(parts, greatest(parts)) += sum - sumOf(parts);
    return parts;
}

BubbleCause causeOfOrder(IdlePhase phase) {
    switch (phase) {
        case IdlePhase::Fill:
            return BubbleCause::Fill;
        case IdlePhase::Drain:
            return BubbleCause::Drain;
        default:
            return BubbleCause::Dependency;
    }
}

RunFacts forTimesOf(const Timeline& timeline, RunFacts facts) {
    if (timeline.provenance() == Provenance::Predicted) {
        facts.least_excess_ns = 0;
        facts.series.reset();  // it is of what ran
    }
    // Others are not measured by the clock on the wall (docs/NUMBERS.md).
    facts.heeds_disturbance = timeline.provenance() == Provenance::Measured;
    return facts;
}

}  // namespace

const char* toText(BubbleCause cause) {
    static constexpr const char* kNames[] = {
        "fill",           "drain",         "dependency",  "imbalance",       "slow_rank", "link_latency",
        "link_bandwidth", "recomputation", "launch_gaps", "flush_optimizer", "noise"};
    return kNames[static_cast<std::size_t>(cause)];
}

Sentence wordsOf(BubbleCause cause) {
    static constexpr const char* kWordsOfCauses[] = {
        "fill",         "drain",          "dependency of the order", "unequal stages", "slow rank",
        "link latency", "link bandwidth", "recomputation",           "host time",    "flush and optimizer",
        "noise"};
    return sentence(kWordsOfCauses[static_cast<std::size_t>(cause)]);
}

BubbleCauses::BubbleCauses(const Timeline& timeline, std::int32_t iteration, const RunFacts& facts)
    : BubbleCauses(timeline, summarize(timeline, iteration), facts) {}

BubbleCauses::BubbleCauses(const Timeline& timeline, IterationSummary summary, const RunFacts& facts)
    : summary_(std::move(summary)),
      graph_(timeline, summary_.iteration, summary_.start_ns),
      usual_(graph_, forTimesOf(timeline, facts)) {
    followChains();
    collect();
    until_ = {};  // as large as all the rest
}

// What an operation adds to its chain beyond what the order asks for.
CauseParts BubbleCauses::partsOf(const EventGraph::Node& node) const {
    CauseParts parts{};
    const Event& e = *node.event;
    if (!isCompute(e.op)) {
        of(parts, BubbleCause::Optimizer) = e.duration_ns();
        return parts;
    }
    const std::int64_t median = usual_.median_ns(e), own = usual_.ownSpeed_ns(e),
                       equal = usual_.equalStages_ns(e);
    of(parts, BubbleCause::Noise) = e.duration_ns() - median;
    of(parts, BubbleCause::SlowRank) = median - own;
    of(parts, BubbleCause::Imbalance) = own - equal;
    if (e.op == Op::Recompute) of(parts, BubbleCause::Recomputation) = equal;
    return parts;
}

// The chain up to the node's start.
CauseParts BubbleCauses::waitingFor(const EventGraph::Node& node) const {
    CauseParts parts{};
    if (node.reason() != EventGraph::kNone) parts = until_[at(node.reason())];
    if (node.message_binds) {
        const std::int64_t latency = usual_.latency_ns(node.transit_ns);
        of(parts, BubbleCause::LinkLatency) += latency;
        of(parts, BubbleCause::LinkBandwidth) += node.transit_ns - latency;
    }
    of(parts, BubbleCause::LaunchGaps) += node.pause_ns();
    return parts;
}

void BubbleCauses::followChains() {
    until_.resize(graph_.nodes().size());
    for (const int index : graph_.order()) {
        CauseParts& parts = until_[at(index)];
        parts = waitingFor(graph_.node(index));
        bscope::add(parts, partsOf(graph_.node(index)));
    }
}

void BubbleCauses::collect() {
    gaps_.reserve(summary_.gaps.size());
    int node = 0;
    for (const IdleGap& idle : summary_.gaps) {
        Gap gap;
        gap.rank = idle.rank;
        gap.start_ns = idle.start_ns;
        gap.end_ns = idle.end_ns;
        gap.next = idle.next;
        node = std::max(node, graph_.first(gap.rank));
        const int past = graph_.past(gap.rank);
        while (node < past && graph_.node(node).event->end_ns <= gap.start_ns) ++node;
        gap.before = node > graph_.first(gap.rank) ? node - 1 : EventGraph::kNone;
        int next = node;
        while (next < past && graph_.node(next).event->start_ns < gap.end_ns) ++next;
        gap.after = gap.next && next < past ? next : EventGraph::kNone;
        add(gap, causeOfOrder(idle.phase));
    }
    std::ranges::sort(gaps_, {},
                      [](const Gap& gap) { return std::tuple(-gap.length_ns(), gap.start_ns, gap.rank); });
}

void BubbleCauses::add(Gap gap, BubbleCause of_order) {
    if (gap.after != EventGraph::kNone)
        gap.parts = waitingFor(graph_.node(gap.after));
    else if (graph_.last() != EventGraph::kNone)
        gap.parts = until_[at(graph_.last())];
    if (gap.before != EventGraph::kNone)
        for (std::size_t i = 0; i < gap.parts.size(); ++i) gap.parts[i] -= until_[at(gap.before)][i];
    of(gap.parts, of_order) += gap.length_ns() - sumOf(gap.parts);
    gap.parts = withoutNegatives(gap.parts);
    gap.cause = greatest(gap.parts);
    idle_ns_ += gap.length_ns();
    bscope::add(totals_, gap.parts);
    gaps_.push_back(gap);
}

}  // namespace bscope
