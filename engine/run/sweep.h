// sweep: runs each m, or v, p against d, kind of checkpointing, for a few iterations and says which is best.
// It trains a model of its own with the configuration's shape, so the training that it interrupts is not
// disturbed. What the memory cap forbids is never run; predictions are there at once, from the costs measured
// last. Blocks; one thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "run/cancellation.h"

namespace bscope {

struct SweepRequest {
    RunConfig config;  // everything but what is varied (and the micro-batch size with fixed_batch)
    SweepAxis axis = SweepAxis::Microbatches;
    std::vector<int> values;  // of it
    int iterations = 3;       // of each
    // Of m alone: samples per iteration, micro-batch = fixed_batch / (m d); 0: as configured.
    int fixed_batch = 0;
    // What a legal configuration costs, by what was measured; nullopt: not known, and nothing is predicted at
    // first.
    std::function<std::optional<Costs>(const RunConfig&)> costs_of;
};

// What was measured under one configuration, for others with as many stages: durations grow with the samples.
std::optional<Costs> costsOfLike(const RunConfig& measured, const Costs& costs, const RunConfig& config);

// progress: with the predictions before anything runs, after every iteration, and at the end. cancel: from
// any thread, breaks off the iteration under way; what was measured is kept. Throws RunFailure, and
// ConfigError for what is illegal whatever the value (a demanded clock, the data). launcher as for Run.
SweepState sweep(const SweepRequest& request, const std::function<void(const SweepState&)>& progress,
                 Cancellation& cancel, Launcher* launcher = nullptr);

// The best of what was measured, and why: most tokens/s; among those that are not apart by more than their
// spread, the least memory. Fills best and why; leaves them alone when nothing was measured.
void judge(SweepState& state);

}  // namespace bscope
