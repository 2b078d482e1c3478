// IterationRows: the events of one iteration of a Timeline. IterationEvents: also the waits in it, the
// receive that fed a compute event and the event that produced what it carried. Both refer to the Timeline,
// which must outlive them and not be appended to meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "timeline/timeline.h"

namespace bscope {

// Events (memory points) of one iteration; they lie together since a row never goes back to an earlier
// iteration.
EventSlice ofIteration(EventSlice row, std::int32_t iteration);
MemoryPoints ofIteration(MemoryPoints row, std::int32_t iteration);

// The events and memory points of one iteration alone.
std::shared_ptr<const Timeline> aloneOf(const Timeline& timeline, std::int32_t iteration);

class IterationRows {
public:
    IterationRows(const Timeline& timeline, std::int32_t iteration);

    int ranks() const { return static_cast<int>(compute_.size()); }
    // Compute, recompute and optimizer events of the iteration.
    EventSlice compute(int rank) const { return compute_[static_cast<std::size_t>(rank)]; }

private:
    std::vector<EventSlice> compute_;
};

class IterationEvents : public IterationRows {
public:
    IterationEvents(const Timeline& timeline, std::int32_t iteration);

    // The message that the event waited for, none when it needed none from another rank (or was not the
    // first to need it).
    EventRef receiveOf(const Event& event) const;
    // The compute event that produced what the receive carried, none when it is not in the timeline.
    EventRef producerOf(const Event& receive) const;

private:
    std::unordered_map<std::uint64_t, EventRef> receives_;  // by receiving stage, direction, micro-batch
    void rememberProducers(const EventSlice& events);
    std::unordered_map<std::uint64_t, EventRef> producers_;  // by producing stage, direction, micro-batch
};

}  // namespace bscope
