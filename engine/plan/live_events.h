// LiveEvents: receives what ranks do while they run. Called from the ranks' threads, never two calls at once
// for the same rank; must not block: the engine never waits for a viewer.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/event.h"

namespace bscope {

class LiveEvents {
public:
    virtual ~LiveEvents() = default;
    virtual void events(int /*rank*/, std::span<const Event>) {}
    virtual void memory(int /*rank*/, std::span<const MemoryPoint>) {}
    // No compute operation comes any more that starts before this. A receive may: it is reported when it is
    // consumed.
    virtual void watermark(std::int64_t /*time_ns*/) {}
};

}  // namespace bscope
