// RankIteration: what one rank did in one iteration, for the report. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clock/calibration.h"
#include "rank/gpu_samples.h"
#include "rank/launched_operation.h"
#include "timeline/event.h"

namespace bscope {

struct RankIteration {
    std::vector<Event> events;
    std::vector<MemoryPoint> memory;
    std::size_t reported_events = 0,
                reported_memory = 0;  // the first of these, to LiveEvents while they happened
    std::vector<KernelEvent>
        kernels;  // GPUs: those known by now, iteration by iteration; CPUs: sums over shards
    std::vector<DurationSample> samples;
    std::vector<LaunchedOperation> notes;  // GPUs: what events and the rest of the above are made of
    GpuSamples gpu;                        // GPUs: what they are made of, too
    std::int64_t end_ns = 0;               // device clock
    std::int64_t wall_ns = 0, cpu_ns = 0, recording_ns = 0;
    std::int64_t buffer_bytes = 0, reserved_bytes = 0;  // as in RankReport
    std::int64_t weight_bytes = 0;  // one version, of both replicas where the rank holds two
    std::int64_t optimizer_bytes = 0;
    std::int64_t launch_gap_ns = 0, driver_bytes = 0;  // GPUs: as in RankReport
    // (chains,) of the chain's micro-batches in their order; empty where the chain ends on another rank.
    std::vector<std::vector<double>> losses;
    // Serving: (requests,) the tokens that were generated; empty but on the rank of the last stage.
    std::vector<std::vector<std::int32_t>> answers;
    // Of the whole model, on every rank the same; asynchronous schedules: of the rank's own gradients in its
    // last optimizer step.
    double gradient_norm = 0;
    // Asynchronous schedules only.
    int weight_versions = 1, staleness = 0;
    std::int64_t stashed_weight_bytes = 0;
    // Measured on CPUs: how long the rank was kept from going on by what is no part of the run (StolenTime).
    std::int64_t held_ns = 0;
    bool held_back = false;                 // had to wait until more iterations were admitted
    std::optional<std::int64_t> throttles;  // as in RankReport

    double wallOverCpu() const {
        return cpu_ns > 0 ? static_cast<double>(wall_ns) / static_cast<double>(cpu_ns) : 1.0;
    }
};

}  // namespace bscope
