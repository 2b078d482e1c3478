// PlannedIteration: what an iteration of a configuration would do, computed without any run, fast enough to
// redraw while a spin box turns. PREDICTED: nothing ran. Pure function over plain data.
#pragma once

#include <memory>

#include "analysis/cost_estimate.h"
#include "timeline/analysis.h"
#include "timeline/timeline.h"

namespace bscope {

struct PlannedIteration {
    std::shared_ptr<const Timeline> timeline;  // starts at start_ns; empty where times do not fit (predict.h)
    IterationSummary summary;
    double tokens_per_s = 0;             // m * B * T / iteration time
    std::vector<double> work_per_stage;  // (stages,) multiplications for one token
    std::vector<int> layers_per_stage;   // (stages,)
    bool stream = false;                 // asynchronous
};

// config must have no problems. An asynchronous schedule is planned as the stream it runs as, in its steady
// state; the timeline then holds the iterations before and after as well, and the iteration's micro-batches
// count from first_microbatch, their weights' versions from first_version (-1: from the stream's start).
PlannedIteration planIteration(const RunConfig& config, const Schedule& order, const Costs& costs,
                               std::int64_t start_ns = 0, std::int32_t iteration = 0,
                               std::int32_t first_microbatch = 0, std::int32_t first_version = -1);
// The order is the catalog's.
PlannedIteration planIteration(const RunConfig& config, const Costs& costs, std::int64_t start_ns = 0,
                               std::int32_t iteration = 0, std::int32_t first_microbatch = 0,
                               std::int32_t first_version = -1);

}  // namespace bscope
