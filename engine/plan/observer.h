// RunObserver: receives what a run does while it runs: the server, a recording, the terminal, tests.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/event.h"
#include "timeline/report.h"

namespace bscope {

// Receives what happens. Called from worker threads while an iteration runs, never two calls at once for the
// same rank; must not block: the engine never waits for a viewer.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void iterationStarted(const IterationStart&) {}
    virtual void events(int /*rank*/, std::span<const Event>) {}
    virtual void memory(int /*rank*/, std::span<const MemoryPoint>) {}
    // After the iteration's events, GPUs only.
    virtual void kernels(int /*rank*/, std::span<const KernelEvent>) {}
    // No compute operation comes any more that starts before this. A receive may: it is reported when it is
    // consumed.
    virtual void watermark(std::int64_t /*time_ns*/) {}
    virtual void iterationFinished(const IterationReport&) {}
};

}  // namespace bscope
