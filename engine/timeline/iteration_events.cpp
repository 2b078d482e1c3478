#include "timeline/iteration_events.h"

#include <algorithm>

namespace bscope {

namespace {

template <class Row>
Slice<Row> slice(Slice<Row> row, std::int32_t iteration) {
    if (row.empty() || (row.front().iteration == iteration && row.back().iteration == iteration)) return row;
    const auto first =
        std::ranges::partition_point(row, [&](const auto& each) { return each.iteration < iteration; });
    const auto past = std::ranges::partition_point(
        first, row.end(), [&](const auto& each) { return each.iteration == iteration; });
    return row.subspan(static_cast<std::size_t>(first - row.begin()), static_cast<std::size_t>(past - first));
}

// Of what the event makes or needs, at that stage.
std::uint64_t key(const Event& event, std::int32_t stage, bool forward) {
    static_assert(kMaxSegments < 1 << 4);
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(stage)) << 37) |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(event.microbatch)) << 5) |
           (static_cast<std::uint64_t>(event.segment + 1) << 1) | (forward ? 1U : 0U);
}
std::uint64_t key(const Event& event, bool forward) {
    return key(event, event.stage, forward);
}

bool startsBackward(Op op) {
    return op == Op::Backward || op == Op::BackwardInput || op == Op::Recompute;
}

}  // namespace

EventSlice ofIteration(EventSlice row, std::int32_t iteration) {
    return slice(row, iteration);
}
MemoryPoints ofIteration(MemoryPoints row, std::int32_t iteration) {
    return slice(row, iteration);
}

std::shared_ptr<const Timeline> aloneOf(const Timeline& timeline, std::int32_t iteration) {
    auto alone = std::make_shared<Timeline>(timeline.ranks(), timeline.provenance());
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& event : ofIteration(timeline.compute(rank), iteration)) alone->append(event);
        for (const Event& event : timeline.receives(rank))
            if (event.iteration == iteration) alone->append(event);
        for (const MemoryPoint& point : ofIteration(timeline.memory(rank), iteration)) alone->append(point);
    }
    return alone;
}

IterationRows::IterationRows(const Timeline& timeline, std::int32_t iteration) {
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        compute_.push_back(ofIteration(timeline.compute(rank), iteration));
}

IterationEvents::IterationEvents(const Timeline& timeline, std::int32_t iteration)
    : IterationRows(timeline, iteration) {
    std::size_t operations = 0, receives = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        operations += compute(rank).size();
        receives += ofIteration(timeline.receives(rank), iteration).size();
    }
    producers_.reserve(operations);
    receives_.reserve(receives);
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        const EventSlice own = compute(rank);
        // In a stream a message may have been produced in the iteration before.
        if (!own.empty() && own.front().weight_version != kNoVersion)
            rememberProducers(ofIteration(timeline.compute(rank), iteration - 1));
        rememberProducers(own);
        const EventSlice received = ofIteration(timeline.receives(rank), iteration);
        for (EventRef e = received.begin(); e != received.end(); ++e)
            receives_[key(*e, e->op == Op::RecvForward)] = e;
    }
}

void IterationEvents::rememberProducers(const EventSlice& events) {
    for (EventRef at = events.begin(); at != events.end(); ++at) {
        const Event e = *at;
        if (e.op == Op::Forward) producers_[key(e, true)] = at;
        if (e.op == Op::Backward || e.op == Op::BackwardInput) producers_[key(e, false)] = at;
    }
}

EventRef IterationEvents::receiveOf(const Event& event) const {
    if (event.op != Op::Forward && !startsBackward(event.op)) return {};
    const auto found = receives_.find(key(event, event.op == Op::Forward));
    return found == receives_.end() ? EventRef() : found->second;
}

EventRef IterationEvents::producerOf(const Event& receive) const {
    const bool forward = receive.op == Op::RecvForward;
    const auto found = producers_.find(key(receive, receive.stage + (forward ? -1 : 1), forward));
    return found == producers_.end() ? EventRef() : found->second;
}

}  // namespace bscope
