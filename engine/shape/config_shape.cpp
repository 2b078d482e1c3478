#include "shape/config_shape.h"

namespace bscope {

namespace {

// (stages,) from what each chain's stages get in their order.
template <class T, class Split>
std::vector<T> byChain(const Schedule& schedule, Split split) {
    std::vector<T> of_stages(schedule.placement.size());
    for (const std::vector<int>& chain : schedule.chains) {
        const std::vector<T> of_chain = split(static_cast<int>(chain.size()));
        for (std::size_t i = 0; i < chain.size(); ++i)
            of_stages[static_cast<std::size_t>(chain[i])] = of_chain[i];
    }
    return of_stages;
}

}  // namespace

ModelShape modelShape(const ModelConfig& model) {
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    return {size(model.layers), size(model.hidden), size(model.heads), size(model.sequence),
            size(model.vocabulary)};
}

ModelShape shardShape(const RunConfig& config) {
    ModelShape shape = modelShape(config.model);
    shape.t = static_cast<std::size_t>(config.params.t);
    shape.sequence_parallel = config.sequence_parallel;
    shape.segments = static_cast<std::size_t>(config.params.segments);
    return shape;
}

double messageBytes(const RunConfig& config) {
    const ModelShape shape = shardShape(config);
    return static_cast<double>(sizeof(float)) * config.micro_batch * static_cast<double>(shape.tokens()) *
           config.model.hidden / static_cast<double>(shape.rowParts());
}

Precision precisionOf(Dtype dtype) {
    return dtype == Dtype::Bf16 ? Precision::Bf16 : Precision::Fp32;
}

Checkpointing checkpointingOf(const RunConfig& config) {
    if (config.recomputesInBackward()) return Checkpointing::FullByLayer;
    switch (config.recompute) {
        case Recompute::None:
            return Checkpointing::None;
        case Recompute::Full:
            return Checkpointing::Full;
        case Recompute::Selective:
            return Checkpointing::Selective;
    }
    return Checkpointing::None;
}

DeviceMemory deviceMemory(const RunConfig& config) {
    if (config.device != DeviceChoice::Cuda) return {};
    return {.attention = AttentionMemory::LogSums, .operands = precisionOf(config.dtype)};
}

std::vector<int> blocksOfStages(const RunConfig& config, const Schedule& schedule) {
    return byChain<int>(schedule, [&](int stages) { return layersPerStage(config, stages); });
}

std::vector<StageRange> rangesOfStages(const RunConfig& config, const Schedule& schedule) {
    const ModelShape shape = shardShape(config);
    return byChain<StageRange>(
        schedule, [&](int stages) { return stageRanges(shape, layersPerStage(config, stages)); });
}

namespace {

// (ranks,) of what ofStage(stage, its numbers) says of every stage.
template <class OfStage>
std::vector<std::int64_t> byRank(const RunConfig& config, const Schedule& schedule, OfStage ofStage) {
    std::vector<std::int64_t> bytes(schedule.orders.size(), 0);
    const ModelShape shape = shardShape(config);
    const std::vector<StageRange> ranges = rangesOfStages(config, schedule);
    for (std::size_t stage = 0; stage < ranges.size(); ++stage)
        bytes[static_cast<std::size_t>(schedule.placement[stage])] += static_cast<std::int64_t>(
            ofStage(static_cast<int>(stage), weightBytes(shape, ranges[stage]) / sizeof(float)));
    return bytes;
}

}  // namespace

std::vector<std::int64_t> weightsOfRanks(const RunConfig& config, const Schedule& schedule) {
    return byRank(config, schedule, [](int, std::size_t floats) { return floats * sizeof(float); });
}

std::vector<std::int64_t> optimizerOfRanks(const RunConfig& config, const Schedule& schedule) {
    const int parts = schedule.params.zero > 0 ? schedule.replicas() : 1;
    return byRank(config, schedule, [&](int stage, std::size_t floats) {
        const int part = parts > 1 ? schedule.replicaOf(schedule.chainOf(stage)) : 0;
        return 2 * sliceOf(floats, parts, part).bytes();
    });
}

std::vector<double> workOfStages(const RunConfig& config, const Schedule& schedule) {
    const ModelShape shape = shardShape(config);
    std::vector<double> work;
    for (const StageRange& range : rangesOfStages(config, schedule))
        work.push_back(multiplicationsPerToken(shape, range));
    return work;
}

std::vector<ActivationBytes> activationsOfStages(const RunConfig& config, const Schedule& schedule) {
    const bool forward_only = schedule.isForwardOnly();
    const Checkpointing checkpointing = forward_only ? Checkpointing::None : checkpointingOf(config);
    std::vector<ActivationBytes> activations;
    for (const StageRange& range : rangesOfStages(config, schedule))
        activations.push_back(activationBytes(shardShape(config), range,
                                              static_cast<std::size_t>(config.micro_batch), checkpointing,
                                              forward_only, deviceMemory(config)));
    return activations;
}

ChunkBytes chunkBytes(const ActivationBytes& bytes) {
    const auto count = [](std::size_t value) { return static_cast<std::int64_t>(value); };
    return {count(bytes.held),         count(bytes.recomputed), count(bytes.kept_for_weight),
            count(bytes.forward_peak), count(bytes.input_peak), count(bytes.backward_peak)};
}

}  // namespace bscope
