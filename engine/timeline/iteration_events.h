// IterationRows: the events of one iteration of a Timeline. IterationEvents: also who waited for whom in it,
// the receive that fed a compute event and the event that produced what it carried. Both hold views into the
// Timeline, which must outlive them and not be appended to meanwhile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "timeline/timeline.h"

namespace bscope {

// Events (memory points) of one iteration; they lie together since a row never goes back to an earlier
// iteration.
std::span<const Event> ofIteration(std::span<const Event> row, std::int32_t iteration);
std::span<const MemoryPoint> ofIteration(std::span<const MemoryPoint> row, std::int32_t iteration);

// The events and memory points of one iteration alone.
std::shared_ptr<const Timeline> aloneOf(const Timeline& timeline, std::int32_t iteration);

class IterationRows {
public:
    IterationRows(const Timeline& timeline, std::int32_t iteration);

    int ranks() const { return static_cast<int>(compute_.size()); }
    // Compute, recompute and optimizer events of the iteration.
    std::span<const Event> compute(int rank) const { return compute_[static_cast<std::size_t>(rank)]; }

private:
    std::vector<std::span<const Event>> compute_;
};

class IterationEvents : public IterationRows {
public:
    IterationEvents(const Timeline& timeline, std::int32_t iteration);

    // The message that the event waited for, nullptr when it needed none from another rank (or was not the
    // first to need it).
    const Event* receiveOf(const Event& event) const;
    // The compute event that produced what the receive carried, nullptr when it is not in the timeline.
    const Event* producerOf(const Event& receive) const;

private:
    std::unordered_map<std::uint64_t, const Event*> receives_;  // by receiving stage, direction, micro-batch
    void rememberProducers(std::span<const Event> events);
    std::unordered_map<std::uint64_t, const Event*> producers_;  // by producing stage, direction, micro-batch
};

}  // namespace bscope
