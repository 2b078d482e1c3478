#include "plan.h"

#include "schedule/catalog.h"
#include "timeline/predict.h"

namespace bscope::ui {

std::int64_t tokensOf(const RunConfig& config) {
    return std::int64_t{config.params.m} * config.micro_batch * config.model.sequence;
}

Plan makePlan(const RunConfig& config, const Costs& costs, std::int64_t start_ns, std::int32_t iteration) {
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    Plan plan;
    plan.timeline = std::make_shared<const Timeline>(
        predict(lower(schedule, config.recompute), costs, Overlap::Serial, start_ns, iteration));
    plan.summary = summarize(*plan.timeline, iteration);
    if (plan.summary.iteration_ns > 0)
        plan.tokens_per_s =
            static_cast<double>(tokensOf(config)) * 1e9 / static_cast<double>(plan.summary.iteration_ns);
    plan.layers_per_stage = blocksOfStages(schedule, config);
    return plan;
}

}  // namespace bscope::ui
