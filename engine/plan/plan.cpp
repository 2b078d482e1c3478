#include "plan/plan.h"

#include <cmath>

#include "catalog/catalog.h"
#include "plan/message_tags.h"

namespace bscope {

std::size_t Plan::messageBytes() const {
    return static_cast<std::size_t>(config.micro_batch) * shape.T * shape.C * sizeof(float) /
           shape.rowParts();
}

std::size_t Plan::messageBytes(const MessageTag& tag) const {
    if (!isOfReduction(tag.kind)) return messageBytes();
    const std::size_t floats =
        weightBytes(shape, ranges[static_cast<std::size_t>(tag.stage)]) / sizeof(float);
    const Schedule& schedule = program.schedule;
    const int slice =
        tag.kind == MessageKind::Slice ? schedule.replicaOf(schedule.chainOf(tag.stage)) : tag.from;
    return gradientSlice(floats, replicas(), slice).bytes();
}

StageOptions Plan::stageOptions(int stage) const {
    return {ranges[static_cast<std::size_t>(stage)], static_cast<std::size_t>(config.micro_batch),
            checkpointingOf(config), forward_only};
}

Products Plan::products() const {
    switch (config.matrix_library) {
        case MatrixLibrary::Auto:
            return Products::Usual;
        case MatrixLibrary::Loops:
            return Products::Loops;
        case MatrixLibrary::OneDnn:
            return Products::OneDnn;
    }
    return Products::Usual;
}

Plan makePlan(const RunConfig& config) {
    return makePlan(config, makeSchedule(config.schedule, config.params));
}

Plan makePlan(const RunConfig& config, const Schedule& schedule) {
    Plan plan;
    plan.config = config;
    plan.forward_only = schedule.isForwardOnly();
    plan.program = lower(schedule, plan.forward_only ? Recompute::None : config.recomputedApart());
    if (schedule.step_every > 0) plan.stream.emplace(schedule, config.params.m, config.recomputedApart());
    plan.shape = shardShape(config);
    plan.layers_per_stage = blocksOfStages(config, schedule);
    plan.ranges = rangesOfStages(config, schedule);
    plan.activations = activationsOfStages(config, schedule);
    return plan;
}

double reductionTransfer_ns(const Plan& plan, int stage) {
    const std::size_t floats =
        weightBytes(plan.shape, plan.ranges[static_cast<std::size_t>(stage)]) / sizeof(float);
    const std::size_t largest = gradientSlice(floats, plan.replicas(), 0).bytes();
    return 2 * plan.config.link.transferNs(static_cast<double>(largest));
}

}  // namespace bscope
