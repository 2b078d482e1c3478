// RunObserver: receives what a run does while it runs: the server, a recording, the terminal, tests.
#pragma once

#include <span>

#include "plan/live_events.h"
#include "timeline/event.h"
#include "report/report.h"

namespace bscope {

// What is not live comes from the thread that runs the iterations.
class RunObserver : public LiveEvents {
public:
    virtual void iterationStarted(const IterationStart&) {}
    // After the iteration's events, GPUs only; of one iteration, in streams of one that has ended before,
    // too.
    virtual void kernels(int /*rank*/, std::span<const KernelEvent>) {}
    virtual void iterationFinished(const IterationReport&) {}
};

}  // namespace bscope
