#include "timeline/analysis.h"

#include <algorithm>
#include <set>

#include "timeline/iteration_events.h"
#include "timeline/rank_tally.h"

namespace bscope {

namespace {

// Chunks in flight before the first event, from the first memory point, which counts a forward with it.
int carriedOver(const EventSlice& events, const MemoryPoints& memory) {
    if (events.empty() || memory.empty()) return 0;
    return memory.front().in_flight - (events.front().op == Op::Forward ? 1 : 0);
}

// Some rank forwards a micro-batch in the iteration and does not take it back in it, or the other way round.
bool isCutOut(const IterationRows& events) {
    for (int rank = 0; rank < events.ranks(); ++rank) {
        std::set<std::pair<int, int>> open;  // micro-batch, segment
        for (const Event& e : events.compute(rank)) {
            if (e.op == Op::Forward) open.insert({e.microbatch, e.segment});
            if (e.op == Op::Backward && open.erase({e.microbatch, e.segment}) == 0) return true;
        }
        if (!open.empty()) return true;
    }
    return false;
}

// What is only predicted may also be an asynchronous order as a whole, which begins and ends like any other;
// on one rank the two look alike, and nothing has to separate them.
bool isOfStream(const IterationRows& events, Provenance provenance) {
    bool computes = false;
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& e : events.compute(rank)) {
            if (!isCompute(e.op)) continue;  // steps that are only planned tell no version
            if (e.weight_version == kNoVersion) return false;
            computes = true;
        }
    return computes && (provenance != Provenance::Predicted || events.ranks() == 1 || isCutOut(events));
}

// When the event before the rank's part of the iteration ended; nothing where the stream begins, which after
// a pause or a change it does with micro-batch 0.
std::optional<std::int64_t> endBefore(const Timeline& timeline, int rank, const EventSlice& own) {
    if (own.empty() || own.offset() == 0) return std::nullopt;
    if (std::ranges::any_of(own, [](const Event& e) { return e.op == Op::Forward && e.microbatch == 0; }))
        return std::nullopt;
    return timeline.compute(rank)[own.offset() - 1].end_ns;
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
    const bool streams = isOfStream(events, timeline.provenance());
    std::vector<RankTally> ranks;
    for (int rank = 0; rank < events.ranks(); ++rank) {
        const EventSlice own = events.compute(rank);
        const MemoryPoints memory = ofIteration(timeline.memory(rank), iteration);
        RankTally& tally =
            streams ? ranks.emplace_back(rank, carriedOver(own, memory), endBefore(timeline, rank, own))
                    : ranks.emplace_back(rank);
        for (const Event& event : own) tally.compute(event);
        for (const Event& event : ofIteration(timeline.receives(rank), iteration)) tally.receive(event);
        for (const MemoryPoint& point : memory) tally.memory(point);
    }
    return summaryOf(ranks, timeline.provenance(), iteration);
}

double bubbleOfTotal(const Timeline& timeline, std::int64_t from_ns, std::int64_t to_ns) {
    if (to_ns <= from_ns || timeline.ranks() == 0) return 0;
    double busy_ns = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        busy_ns += static_cast<double>(timeline.busy_ns(rank, from_ns, to_ns));
    return 1 - busy_ns / (static_cast<double>(to_ns - from_ns) * timeline.ranks());
}

}  // namespace bscope
