#include "plan/plan.h"

#include <cmath>

#include "catalog/catalog.h"
#include "plan/message_tags.h"

namespace bscope {

std::size_t Plan::messageBytes() const {
    return static_cast<std::size_t>(config.micro_batch) * shape.tokens() * shape.C * sizeof(float) /
           shape.rowParts();
}

std::size_t Plan::messageBytes(const MessageTag& tag) const {
    if (!isOfReduction(tag.kind)) return messageBytes();
    const int holder = tag.kind == MessageKind::Slice ? tag.stage : senderStage(program.schedule, tag);
    return sliceOfStage(holder).bytes();
}

FloatSlice Plan::sliceOfStage(int stage) const {
    const std::size_t floats = weightBytes(shape, ranges[static_cast<std::size_t>(stage)]) / sizeof(float);
    const Schedule& schedule = program.schedule;
    return sliceOf(floats, replicas(), schedule.replicaOf(schedule.chainOf(stage)));
}

StageOptions Plan::stageOptions(int stage) const {
    return {ranges[static_cast<std::size_t>(stage)], static_cast<std::size_t>(config.micro_batch),
            checkpointingOf(config), forward_only, sliceOfStage(stage),
            static_cast<std::size_t>(config.params.segments)};
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

// A ring's: as many messages of a slice one after the other as there are other copies.
double roundTransfer_ns(const Plan& plan, int stage) {
    const int others = plan.replicas() - 1;
    const FloatSlice largest = plan.sliceOfStage(plan.program.schedule.copiesOf(stage).front());
    return others * plan.config.link.transferNs(static_cast<double>(largest.bytes()));
}

}  // namespace bscope
