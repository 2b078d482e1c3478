#include "timeline/timeline.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace bscope {

const char* toText(Provenance value) {
    switch (value) {
        case Provenance::Measured:
            return "MEASURED";
        case Provenance::Reconstructed:
            return "RECONSTRUCTED";
        case Provenance::Predicted:
            return "PREDICTED";
        case Provenance::Imported:
            return "IMPORTED";
    }
    return "";
}

Timeline::Timeline(int ranks, Provenance provenance) : rows_(index(ranks)), provenance_(provenance) {}

void Timeline::refuseRank(int rank) const {
    throw std::invalid_argument("Timeline: rank " + std::to_string(rank) + " is outside 0.." +
                                std::to_string(ranks() - 1));
}

void Timeline::append(const Event& event) {
    Row& target = row(event.rank);
    if (isReceive(event.op)) {
        PackedEvents& stored = target.receives;
        if (stored.empty() || stored.startOf(stored.size() - 1) <= event.start_ns) {
            stored.push_back(event);
        } else {
            const EventSlice row = whole(stored);
            const auto place = std::ranges::upper_bound(row, event.start_ns, {}, &Event::start_ns);
            stored.insert(static_cast<std::size_t>(place - row.begin()), event);
        }
    } else if (!isSend(event.op)) {
        PackedEvents& stored = target.compute;
        if (!stored.empty() && event.start_ns < stored.startOf(stored.size() - 1))
            throw std::invalid_argument("Timeline: an event of rank " + std::to_string(event.rank) +
                                        " starts before the one appended last");
        std::int64_t& sum = target.all[total(event.op)];
        std::int64_t longer = 0;
        if (__builtin_add_overflow(sum, event.duration_ns(), &longer))
            throw std::invalid_argument("Timeline: the operations of rank " + std::to_string(event.rank) +
                                        " take longer than time can be");
        if (stored.size() % kBlock == 0) target.before.push_back(target.all);
        stored.push_back(event);
        sum = longer;
    } else {
        throw std::invalid_argument(
            "Timeline: a message is drawn once, at its receiver; sends are not events");
    }
    begin_ns_ = empty_ ? event.start_ns : std::min(begin_ns_, event.start_ns);
    end_ns_ = empty_ ? event.end_ns : std::max(end_ns_, event.end_ns);
    empty_ = false;
}

void Timeline::append(const MemoryPoint& point) {
    PackedMemory& memory = row(point.rank).memory;
    if (!memory.empty() && point.time_ns < whole(memory).back().time_ns)
        throw std::invalid_argument("Timeline: a memory point of rank " + std::to_string(point.rank) +
                                    " lies before the one appended last");
    memory.push_back(point);
}

void Timeline::reserve(int rank, std::size_t compute, std::size_t receives, std::size_t memory) {
    Row& target = row(rank);
    target.compute.reserve(compute);
    target.before.reserve(compute / kBlock + 1);
    target.receives.reserve(receives);
    target.memory.reserve(memory);
}

std::size_t Timeline::firstEndingAfter(int rank, std::int64_t time_ns) const {
    const EventSlice events = compute(rank);
    return static_cast<std::size_t>(
        std::ranges::partition_point(events, [&](const Event& e) { return e.end_ns <= time_ns; }) -
        events.begin());
}

Timeline::Totals Timeline::totals_ns(int rank, std::size_t count) const {
    const Row& row = rows_[index(rank)];
    if (count == row.compute.size()) return row.all;
    // From the nearer end of its block.
    const std::size_t block = count / kBlock, next = (block + 1) * kBlock;
    const bool from_next = next - count < kBlock / 2 && block + 1 < row.before.size();
    Totals totals = row.before[from_next ? block + 1 : block];
    for (std::size_t i = block * kBlock; !from_next && i < count; ++i) {
        const Event event = row.compute[i];
        totals[total(event.op)] += event.duration_ns();
    }
    for (std::size_t i = count; from_next && i < next; ++i) {
        const Event event = row.compute[i];
        totals[total(event.op)] -= event.duration_ns();
    }
    return totals;
}

std::int64_t Timeline::busy_ns(int rank, std::int64_t from_ns, std::int64_t to_ns) const {
    std::int64_t busy = 0;
    for (int op = 0; op < kOpCount; ++op)
        if (isCompute(static_cast<Op>(op))) busy += busy_ns(rank, static_cast<Op>(op), from_ns, to_ns);
    return busy;
}

std::int64_t Timeline::busy_ns(int rank, Op op, std::int64_t from_ns, std::int64_t to_ns) const {
    if (to_ns <= from_ns || isCommunication(op)) return 0;
    const EventSlice events = compute(rank);
    const std::size_t first = firstEndingAfter(rank, from_ns);
    const auto past = static_cast<std::size_t>(
        std::ranges::partition_point(events, [&](const Event& e) { return e.start_ns < to_ns; }) -
        events.begin());
    if (first >= past) return 0;
    std::int64_t busy = totals_ns(rank, past)[total(op)] - totals_ns(rank, first)[total(op)];
    if (events[first].op == op) busy -= std::max<std::int64_t>(0, from_ns - events[first].start_ns);
    if (events[past - 1].op == op) busy -= std::max<std::int64_t>(0, events[past - 1].end_ns - to_ns);
    return busy;
}

}  // namespace bscope
