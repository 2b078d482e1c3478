#include "plan/plan.h"

#include <cmath>
#include <utility>

#include "catalog/catalog.h"
#include "plan/message_tags.h"

namespace bscope {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

// The activations of a step, or to the first stage the tokens that came of the one before.
std::size_t stepBytes(const Plan& plan, const MessageTag& tag) {
    const ServingStep& step = plan.serving->steps.at(at(tag.microbatch));
    if (plan.program.schedule.previousStage(tag.stage) < 0)
        return at(plan.serving->steps.at(at(step.previous)).emitted()) * sizeof(std::int32_t);
    return at(step.tokens()) * plan.shape.C * sizeof(float);
}

}  // namespace

std::size_t Plan::messageBytes() const {
    if (serving) return at(serving->mostTokens()) * shape.C * sizeof(float);
    return static_cast<std::size_t>(config.micro_batch) * shape.tokens() * shape.C * sizeof(float) /
           shape.rowParts();
}

std::size_t Plan::messageBytes(const MessageTag& tag) const {
    if (serving && tag.kind == MessageKind::Activation) return stepBytes(*this, tag);
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
    return {ranges[static_cast<std::size_t>(stage)],
            static_cast<std::size_t>(config.micro_batch),
            checkpointingOf(config),
            forward_only,
            sliceOfStage(stage),
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

Plan makeServingPlan(RunConfig config, const Serving& serving) {
    auto work = std::make_shared<const ServingWork>(serving);
    config.schedule = "forward-only";
    config.params.m = static_cast<int>(work->steps.size());
    Schedule schedule = makeSchedule(config.schedule, config.params);
    schedule.links = linksOf(work->steps);
    Plan plan = makePlan(config, schedule);
    plan.serving = std::move(work);
    return plan;
}

// A ring's: as many messages of a slice one after the other as there are other copies.
double roundTransfer_ns(const Plan& plan, int stage) {
    const int others = plan.replicas() - 1;
    const FloatSlice largest = plan.sliceOfStage(plan.program.schedule.copiesOf(stage).front());
    return others * plan.config.link.transferNs(static_cast<double>(largest.bytes()));
}

}  // namespace bscope
