#include "timeline/analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "timeline/iteration_events.h"

namespace bscope {

namespace {

struct Interval {
    std::int64_t start_ns = std::numeric_limits<std::int64_t>::max();
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
    const Event* last = nullptr;  // which ends it
};

Action actionOf(const Event& e) {
    return {e.stage, e.op, e.microbatch};
}

bool isBackwardStart(Op op) {
    return op == Op::Backward || op == Op::BackwardInput || op == Op::Recompute;
}

bool goesBackward(const IterationRows& events) {
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& e : events.compute(rank))
            if (e.op == Op::Backward || e.op == Op::BackwardInput) return true;
    return false;
}

// First start .. last end of compute over all ranks.
Interval computeInterval(const IterationRows& events) {
    Interval whole;
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& e : events.compute(rank)) {
            if (!isCompute(e.op)) continue;
            whole.start_ns = std::min(whole.start_ns, e.start_ns);
            if (whole.last == nullptr || e.end_ns > whole.end_ns) whole.last = &e;
            whole.end_ns = std::max(whole.end_ns, e.end_ns);
        }
    return whole;
}

// Chunks in flight before the first event, from the first memory point, which counts a forward with it.
int carriedOver(std::span<const Event> events, std::span<const MemoryPoint> memory) {
    if (events.empty() || memory.empty()) return 0;
    return memory.front().in_flight - (events.front().op == Op::Forward ? 1 : 0);
}

// Counts from the order of the rank's events: a chunk is in flight from its F to its B, or to its W (I).
// Without a backward anywhere its activations are dropped when its F ends, so that one is in flight at a
// time.
void countInFlight(std::span<const Event> events, bool forward_only, int carried_over, RankSummary& rank) {
    if (forward_only) {
        rank.peak_in_flight = rank.peak_in_flight_dgrad = rank.busy_ns > 0 ? 1 : 0;
        return;
    }
    int until_weight = carried_over, until_input = carried_over;
    rank.peak_in_flight = rank.peak_in_flight_dgrad = carried_over;
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
                          std::span<const MemoryPoint> memory, bool streams, bool forward_only) {
    RankSummary rank;
    rank.rank = rank_number;
    bool computes = false, goes_backward = false;
    for (const Event& e : events) {
        if (!isCompute(e.op)) {
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
    countInFlight(events, forward_only, streams ? carriedOver(events, memory) : 0, rank);
    return rank;
}

// Some rank forwards a micro-batch in the iteration and does not take it back in it, or the other way round.
bool isPieceOfStream(const IterationRows& events) {
    for (int rank = 0; rank < events.ranks(); ++rank) {
        std::set<int> open;
        for (const Event& e : events.compute(rank)) {
            if (e.weight_version == kNoVersion) return false;
            if (e.op == Op::Forward) open.insert(e.microbatch);
            if (e.op == Op::Backward && open.erase(e.microbatch) == 0) return true;
        }
        if (!open.empty()) return true;
    }
    return false;
}

// In which each rank's iteration lies.
std::vector<Interval> windows(const Timeline& timeline, const IterationRows& events, bool streams) {
    const Interval whole = computeInterval(events);
    std::vector<Interval> found(static_cast<std::size_t>(events.ranks()), whole);
    for (int rank = 0; streams && rank < events.ranks(); ++rank) {
        const std::span<const Event> own = events.compute(rank);
        if (own.empty()) continue;
        Interval& window = found[static_cast<std::size_t>(rank)];
        if (own.data() != timeline.compute(rank).data()) window.start_ns = (own.data() - 1)->end_ns;
        window.end_ns = own.back().end_ns;  // so that no gap follows its last event
    }
    return found;
}

void addGap(IterationSummary& summary, int rank, std::int64_t start, std::int64_t end, const Event* next) {
    if (end <= start) return;
    summary.gaps.push_back({start, end, phaseOf(summary, rank, start, end), rank,
                            next != nullptr ? std::optional(actionOf(*next)) : std::nullopt});
}

// What a rank did not compute in its window; optimizer steps between two operations are idle time, those of a
// stream are not.
void addGaps(IterationSummary& summary, const IterationRows& events, int rank, const Interval& window) {
    std::int64_t idle_since = window.start_ns;
    for (const Event& e : events.compute(rank)) {
        if (!isCompute(e.op) && !summary.is_stream) continue;
        addGap(summary, rank, idle_since, e.start_ns, &e);
        idle_since = std::max(idle_since, e.end_ns);
    }
    if (window.last != nullptr) addGap(summary, rank, idle_since, window.end_ns, nullptr);
}

}  // namespace

IdlePhase phaseOf(const IterationSummary& summary, int rank, std::int64_t start_ns, std::int64_t end_ns) {
    const RankSummary& own = summary.ranks[static_cast<std::size_t>(rank)];
    if (summary.is_stream) return IdlePhase::Between;
    if (end_ns <= own.first_backward_ns) return IdlePhase::Fill;
    if (start_ns >= own.last_forward_end_ns) return IdlePhase::Drain;
    return IdlePhase::Between;
}

bool hasComputed(const Timeline& timeline, std::int32_t iteration) {
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        if (std::ranges::any_of(ofIteration(timeline.compute(rank), iteration), isCompute, &Event::op))
            return true;
    return false;
}

IterationSummary summarize(const Timeline& timeline, std::int32_t iteration) {
    const IterationRows events(timeline, iteration);
    const Interval whole = computeInterval(events);
    if (whole.end_ns < whole.start_ns)
        throw std::out_of_range("the timeline holds nothing of iteration " + std::to_string(iteration));
    const bool streams = isPieceOfStream(events), forward_only = !goesBackward(events);
    const std::vector<Interval> of_ranks = windows(timeline, events, streams);
    IterationSummary summary;
    summary.is_stream = streams;
    summary.iteration = iteration;
    summary.provenance = timeline.provenance();
    summary.start_ns = whole.start_ns;
    double busy_ns = 0, total_ns = 0;
    for (int rank = 0; rank < events.ranks(); ++rank) {
        const Interval window = of_ranks[static_cast<std::size_t>(rank)];
        RankSummary& each = summary.ranks.emplace_back(
            summarizeRank(rank, events.compute(rank), ofIteration(timeline.receives(rank), iteration),
                          ofIteration(timeline.memory(rank), iteration), streams, forward_only));
        const std::int64_t own_ns = window.end_ns - window.start_ns - (streams ? each.optimizer_ns : 0);
        each.bubble_of_total =
            own_ns > 0 ? 1 - static_cast<double>(each.busy_ns) / static_cast<double>(own_ns) : 0;
        addGaps(summary, events, rank, window);
        busy_ns += static_cast<double>(each.busy_ns);
        total_ns += static_cast<double>(own_ns);
        summary.start_ns = std::min(summary.start_ns, window.start_ns);
        summary.end_ns = std::max(summary.end_ns, window.end_ns);
        summary.span_ns = std::max(summary.span_ns, each.last_end_ns - each.first_start_ns);
        summary.optimizer_ns = std::max(summary.optimizer_ns, each.optimizer_ns);
    }
    summary.iteration_ns = std::llround(total_ns / std::max(1, events.ranks()));
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

}  // namespace bscope
