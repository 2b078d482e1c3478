// sweep: really runs each m for a few iterations and says which is best. It trains a model of its own with
// the configuration's shape, so the training that it interrupts is not disturbed. What the memory cap forbids
// is never run; predictions are there at once, from the costs measured last. Blocks; one thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "run/cancellation.h"

namespace bscope {

struct SweepRequest {
    RunConfig config;  // everything but m (and the micro-batch size with fixed_batch)
    std::vector<int> m;
    int iterations = 3;          // of each m
    int fixed_batch = 0;         // samples per iteration: micro-batch = fixed_batch / (m d); 0: as configured
    std::optional<Costs> costs;  // measured last under `config`; without them nothing is predicted at first
};

// progress: with the predictions before anything runs, after every iteration, and at the end. cancel: from
// any thread, breaks off the iteration under way; what was measured is kept. Throws RunFailure, and
// ConfigError for what is illegal whatever the m (a demanded clock, the data). launcher as for Run.
SweepState sweep(const SweepRequest& request, const std::function<void(const SweepState&)>& progress,
                 Cancellation& cancel, Launcher* launcher = nullptr);

// The best of what was measured, and why: most tokens/s; among those that are not apart by more than their
// spread, the least memory. Fills best_m and why; leaves them alone when nothing was measured.
void judge(SweepState& state);

}  // namespace bscope
