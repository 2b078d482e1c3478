// Cost estimate: how long and how large every operation of a configuration will be, before it has run.
// Durations and bytes follow from the model's shape (multiply-adds and stored floats per token); what has
// been measured, under whatever configuration, scales them. A configuration that differs only in schedule, m
// or link gets back exactly what was measured. Pure functions.
#pragma once

#include <vector>

#include "schedule/schedule.h"
#include "timeline/costs.h"

namespace bscope::ui {

// Calibrated medians and the configuration they were measured under.
struct KnownCosts {
    RunConfig config;
    Costs costs;
};

// (stages,) transformer blocks of every stage of every chain.
std::vector<int> blocksOfStages(const Schedule& schedule, const RunConfig& config);

// Costs of config, which must have no problems; known may be null.
Costs estimateCosts(const RunConfig& config, const KnownCosts* known);

}  // namespace bscope::ui
