#include "timeline/analysis.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

struct Interval {
    std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
};

bool isBackwardStart(Op op) {
    return op == Op::Backward || op == Op::BackwardInput || op == Op::Recompute;
}

bool goesBackward(const IterationEvents& events) {
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& e : events.compute(rank))
            if (e.op == Op::Backward || e.op == Op::BackwardInput) return true;
    return false;
}

// First start .. last end of compute over all ranks.
Interval computeInterval(const IterationEvents& events) {
    Interval whole;
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& e : events.compute(rank)) {
            if (!isCompute(e.op)) continue;
            whole.start_ns = std::min(whole.start_ns, e.start_ns);
            whole.end_ns = std::max(whole.end_ns, e.end_ns);
        }
    return whole;
}

// Counts from the order of the rank's events: a chunk is in flight from its F to its B, or to its W (I).
// Without a backward anywhere its activations are dropped when its F ends, so that one is in flight at a
// time.
void countInFlight(std::span<const Event> events, bool forward_only, RankSummary& rank) {
    if (forward_only) {
        rank.peak_in_flight = rank.peak_in_flight_dgrad = rank.busy_ns > 0 ? 1 : 0;
        return;
    }
    int until_weight = 0, until_input = 0;
    for (const Event& e : events) {
        if (e.op == Op::Forward) {
            rank.peak_in_flight = std::max(rank.peak_in_flight, ++until_weight);
            rank.peak_in_flight_dgrad = std::max(rank.peak_in_flight_dgrad, ++until_input);
        }
        if (e.op == Op::Backward || e.op == Op::BackwardWeight) --until_weight;
        if (e.op == Op::Backward || e.op == Op::BackwardInput) --until_input;
    }
}

RankSummary summarizeRank(int rank_number, std::span<const Event> events, std::span<const Event> receives,
                          std::span<const MemoryPoint> memory, std::int64_t iteration_ns, bool forward_only) {
    RankSummary rank;
    rank.rank = rank_number;
    bool computes = false, goes_backward = false;
    for (const Event& e : events) {
        if (e.op == Op::OptimizerStep) {
            rank.optimizer_ns += e.duration_ns();
            continue;
        }
        rank.busy_ns += e.duration_ns();
        if (e.op == Op::Recompute) rank.recompute_ns += e.duration_ns();
        if (!computes) rank.first_start_ns = e.start_ns;
        computes = true;
        rank.last_end_ns = e.end_ns;
        if (e.op == Op::Forward) rank.last_forward_end_ns = e.end_ns;
        if (!goes_backward && isBackwardStart(e.op)) {
            rank.first_backward_ns = e.start_ns;
            goes_backward = true;
        }
    }
    if (!goes_backward) rank.first_backward_ns = rank.first_start_ns;
    for (const Event& e : receives) {
        rank.wait_ns += e.transfer_ns - e.start_ns;
        rank.transfer_ns += e.end_ns - e.transfer_ns;
    }
    for (const MemoryPoint& point : memory)
        rank.peak_activation_bytes = std::max(rank.peak_activation_bytes, point.live_bytes);
    countInFlight(events, forward_only, rank);
    rank.bubble_of_total =
        iteration_ns > 0 ? 1 - static_cast<double>(rank.busy_ns) / static_cast<double>(iteration_ns) : 0;
    return rank;
}

// Cuts a rank's idle time into gaps with one cause each.
class GapFinder {
public:
    GapFinder(const IterationEvents& events, const RankSummary& rank, std::vector<IdleGap>& gaps)
        : events_(events), rank_(rank), gaps_(gaps) {}

    void run(Interval whole) {
        std::int64_t idle_since = whole.start_ns;
        for (const Event& e : events_.compute(rank_.rank)) {
            if (!isCompute(e.op)) continue;
            if (e.start_ns > idle_since) addBefore(e, idle_since);
            idle_since = std::max(idle_since, e.end_ns);
        }
        IdleGap gap = blank();
        gap.peer_end_ns = gap.arrival_ns = whole.end_ns;
        add(gap, idle_since, whole.end_ns, phaseOf(idle_since, whole.end_ns));
    }

private:
    IdleGap blank() const {
        IdleGap gap;
        gap.rank = rank_.rank;
        gap.waits_for = {-1, Op::OptimizerStep, -1};
        return gap;
    }

    IdleCause phaseOf(std::int64_t start, std::int64_t end) const {
        if (end <= rank_.first_backward_ns) return IdleCause::Fill;
        if (start >= rank_.last_forward_end_ns) return IdleCause::Drain;
        return IdleCause::Dependency;
    }

    // Waiting for the sender, then the message on its way, then whatever else kept the rank.
    void addBefore(const Event& e, std::int64_t start) {
        IdleGap gap = blank();
        gap.waits_for = {e.stage, e.op, e.microbatch};
        gap.peer_end_ns = gap.arrival_ns = e.start_ns;
        const IdleCause phase = phaseOf(start, e.start_ns);
        const Event* receive = events_.receiveOf(e);
        if (receive == nullptr) return add(gap, start, e.start_ns, phase);
        gap.peer_end_ns = receive->transfer_ns;
        gap.arrival_ns = receive->end_ns;
        if (const Event* producer = events_.producerOf(*receive)) gap.peer = producer->rank;
        const std::int64_t sent = std::clamp(receive->transfer_ns, start, e.start_ns);
        const std::int64_t arrived = std::clamp(receive->end_ns, sent, e.start_ns);
        add(gap, start, sent, phase);
        add(gap, sent, arrived, IdleCause::Transfer);
        add(gap, arrived, e.start_ns, phase);
    }

    void add(IdleGap gap, std::int64_t start, std::int64_t end, IdleCause cause) {
        if (end <= start) return;
        gap.start_ns = start;
        gap.end_ns = end;
        gap.cause = cause;
        gaps_.push_back(gap);
    }

    const IterationEvents& events_;
    const RankSummary& rank_;
    std::vector<IdleGap>& gaps_;
};

}  // namespace

IterationSummary summarize(const Timeline& timeline, std::int32_t iteration) {
    const IterationEvents events(timeline, iteration);
    const Interval whole = computeInterval(events);
    if (whole.end_ns < whole.start_ns)
        throw std::out_of_range("the timeline holds nothing of iteration " + std::to_string(iteration));
    IterationSummary summary;
    summary.iteration = iteration;
    summary.provenance = timeline.provenance();
    summary.start_ns = whole.start_ns;
    summary.iteration_ns = whole.end_ns - whole.start_ns;
    const bool forward_only = !goesBackward(events);
    double busy_ns = 0;
    for (int rank = 0; rank < events.ranks(); ++rank) {
        const RankSummary& each = summary.ranks.emplace_back(
            summarizeRank(rank, events.compute(rank), ofIteration(timeline.receives(rank), iteration),
                          ofIteration(timeline.memory(rank), iteration), summary.iteration_ns, forward_only));
        GapFinder(events, each, summary.gaps).run(whole);
        busy_ns += static_cast<double>(each.busy_ns);
        summary.span_ns = std::max(summary.span_ns, each.last_end_ns - each.first_start_ns);
        summary.optimizer_ns = std::max(summary.optimizer_ns, each.optimizer_ns);
    }
    const double total_ns = static_cast<double>(summary.iteration_ns) * events.ranks();
    if (total_ns > 0) summary.bubble_of_total = 1 - busy_ns / total_ns;
    if (busy_ns > 0) summary.bubble_of_ideal = (total_ns - busy_ns) / busy_ns;
    return summary;
}

double bubbleOfTotal(const Timeline& timeline, std::int64_t from_ns, std::int64_t to_ns) {
    if (to_ns <= from_ns || timeline.ranks() == 0) return 0;
    double busy_ns = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        busy_ns += static_cast<double>(timeline.busy_ns(rank, from_ns, to_ns));
    return 1 - busy_ns / (static_cast<double>(to_ns - from_ns) * timeline.ranks());
}

std::vector<EventRef> criticalPath(const Timeline& timeline, std::int32_t iteration) {
    const IterationEvents events(timeline, iteration);
    const Event* current = nullptr;
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& e : events.compute(rank))
            if (isCompute(e.op) && (current == nullptr || e.end_ns > current->end_ns)) current = &e;
    std::vector<EventRef> path;
    while (current != nullptr) {
        const int rank = current->rank;
        path.push_back({rank, static_cast<std::size_t>(current - timeline.compute(rank).data())});
        const Event* before = current == events.compute(rank).data() ? nullptr : current - 1;
        const Event* receive = events.receiveOf(*current);
        const Event* producer = receive != nullptr ? events.producerOf(*receive) : nullptr;
        const bool message_decides =
            producer != nullptr && (before == nullptr || receive->end_ns > before->end_ns);
        current = message_decides ? producer : before;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace bscope
