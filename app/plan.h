// Plan: what a configuration would do, computed in the window without any engine, fast enough to redraw while
// a spin box turns. PREDICTED: nothing ran. Pure function over plain data.
#pragma once

#include <memory>

#include "cost_estimate.h"
#include "timeline/analysis.h"
#include "timeline/timeline.h"

namespace bscope::ui {

struct Plan {
    std::shared_ptr<const Timeline> timeline;  // starts at the asked time
    IterationSummary summary;
    double tokens_per_s = 0;            // m * B * T / iteration time
    std::vector<int> layers_per_stage;  // (stages,)
};

// Tokens of one iteration.
std::int64_t tokensOf(const RunConfig& config);

// config must have no problems.
Plan makePlan(const RunConfig& config, const Costs& costs, std::int64_t start_ns = 0,
              std::int32_t iteration = 0);

}  // namespace bscope::ui
