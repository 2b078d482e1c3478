#include "run/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>

#include "model/model.h"
#include "schedule/catalog.h"
#include "schedule/weight_versions.h"

namespace bscope {

namespace {

Checkpointing checkpointing(Recompute recompute) {
    switch (recompute) {
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

constexpr double kMegabyte = 1e6;

std::string megabytes(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", bytes / kMegabyte);
    return text;
}

std::int64_t greatestPeak(const RunConfig& config) {
    const std::vector<std::int64_t> peaks = predictedPeakBytes(makePlan(config));
    return *std::max_element(peaks.begin(), peaks.end());
}

bool fits(const RunConfig& config) {
    return problems(config).empty() &&
           static_cast<double>(greatestPeak(config)) <= config.memory_cap_mb * kMegabyte;
}

// Peaks grow with m.
std::optional<int> fewerMicrobatches(RunConfig config) {
    const auto with = [&config](int m) -> const RunConfig& {
        config.params.m = m;
        return config;
    };
    std::vector<int> legal;
    for (int m = 1, most = config.params.m; m < most; ++m)
        if (problems(with(m)).empty()) legal.push_back(m);
    const auto first_too_many =
        std::partition_point(legal.begin(), legal.end(), [&](int m) { return fits(with(m)); });
    if (first_too_many == legal.begin()) return std::nullopt;
    return *(first_too_many - 1);
}

std::optional<Recompute> strongerRecompute(RunConfig config) {
    for (const Recompute choice : {Recompute::Selective, Recompute::Full}) {
        config.recompute = choice;
        if (fits(config)) return choice;
    }
    return std::nullopt;
}

}  // namespace

std::size_t Plan::messageBytes() const {
    return static_cast<std::size_t>(config.micro_batch) * shape.T * shape.C * sizeof(float);
}

StageOptions Plan::stageOptions(int stage) const {
    return {ranges[static_cast<std::size_t>(stage)], static_cast<std::size_t>(config.micro_batch),
            checkpointing(program.recompute), forwardOnly()};
}

Precision precisionOf(Dtype dtype) {
    return dtype == Dtype::Bf16 ? Precision::Bf16 : Precision::Fp32;
}

ModelShape modelShape(const ModelConfig& model) {
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    return {size(model.layers), size(model.hidden), size(model.heads), size(model.sequence),
            size(model.vocabulary)};
}

Plan makePlan(const RunConfig& config) {
    return makePlan(config, makeSchedule(config.schedule, config.params));
}

Plan makePlan(const RunConfig& config, const Schedule& schedule) {
    Plan plan;
    plan.config = config;
    plan.program = lower(schedule, schedule.isForwardOnly() ? Recompute::None : config.recompute);
    if (schedule.step_every > 0) plan.stream.emplace(schedule, config.params.m, config.recompute);
    plan.shape = modelShape(config.model);
    const auto stages = static_cast<std::size_t>(schedule.stageCount());
    plan.layers_per_stage.resize(stages);
    plan.ranges.resize(stages);
    for (const std::vector<int>& chain : schedule.chains) {
        const std::vector<int> layers = layersPerStage(config, static_cast<int>(chain.size()));
        const std::vector<StageRange> ranges = stageRanges(plan.shape, layers);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const auto stage = static_cast<std::size_t>(chain[i]);
            plan.layers_per_stage[stage] = layers[i];
            plan.ranges[stage] = ranges[i];
        }
    }
    for (const StageRange& range : plan.ranges)
        plan.activations.push_back(activationBytes(
            plan.shape, range, static_cast<std::size_t>(config.micro_batch),
            checkpointing(plan.program.recompute), schedule.isForwardOnly(), deviceMemory(config)));
    return plan;
}

std::vector<std::int64_t> predictedPeakBytes(const Plan& plan) {
    std::vector<std::int64_t> peaks;
    for (const std::vector<Action>& actions : plan.executed().actions) {
        std::size_t live = 0, peak = 0;
        for (const Action& action : actions) {
            if (!isCompute(action.op)) continue;
            const ActivationBytes& bytes = plan.activations[static_cast<std::size_t>(action.stage)];
            switch (action.op) {
                case Op::Forward:
                    peak = std::max(peak, live + bytes.forward_peak);
                    live += bytes.held;
                    break;
                case Op::Recompute:
                    live += bytes.recomputed;
                    break;
                case Op::Backward:
                    live -= bytes.held + bytes.recomputed;
                    break;
                case Op::BackwardInput:
                    peak = std::max(peak, live + bytes.input_peak);
                    live -= bytes.held + bytes.recomputed - bytes.kept_for_weight;
                    break;
                case Op::BackwardWeight:
                    live -= bytes.kept_for_weight;
                    break;
                default:
                    break;
            }
            peak = std::max(peak, live);
        }
        peaks.push_back(static_cast<std::int64_t>(peak));
    }
    return peaks;
}

int predictedVersions(const Plan& plan, int rank) {
    return plan.stream ? versionsHeld(weightVersions(plan.stream->piece(), rank)) : 1;
}

std::vector<std::int64_t> predictedBytes(const Plan& plan) {
    std::vector<std::int64_t> bytes = predictedPeakBytes(plan);
    const bool rounded = deviceMemory(plan.config).operands == Precision::Bf16;
    for (std::size_t stage = 0; stage < plan.ranges.size(); ++stage) {
        const int rank = plan.program.schedule.placement[stage];
        const int versions = predictedVersions(plan, rank);
        const auto weights = static_cast<std::int64_t>(weightBytes(plan.shape, plan.ranges[stage]));
        bytes[static_cast<std::size_t>(rank)] +=
            (3 + versions) * weights +
            (rounded ? versions * weights / 2 : 0);  // and gradients, optimizer state
    }
    return bytes;
}

std::optional<Problem> sharedMemoryProblem(const Plan& plan, std::int64_t bytes) {
    const std::vector<std::int64_t> each = predictedBytes(plan);
    const std::int64_t needed = std::accumulate(each.begin(), each.end(), std::int64_t{0});
    if (needed <= bytes) return std::nullopt;
    return Problem{"hidden",
                   plan.config.device == DeviceChoice::Cuda
                       ? "all ranks together need {0} MB of memory, the GPU has {1} MB: use a smaller model, "
                         "fewer or smaller micro-batches, or checkpointing"
                       : "all ranks together need {0} MB of memory, this machine has {1} MB: use a smaller "
                         "model, fewer or smaller micro-batches, or checkpointing",
                   {megabytes(static_cast<double>(needed)), megabytes(static_cast<double>(bytes))},
                   {}};
}

std::optional<Problem> gpuMemoryProblem(const Plan& plan, std::span<const std::int64_t> bytes) {
    const std::vector<std::int64_t> needed = predictedBytes(plan);
    const auto [rank, gpu] = std::mismatch(needed.begin(), needed.end(), bytes.begin(), std::less_equal());
    if (rank == needed.end()) return std::nullopt;
    return Problem{"hidden",
                   "rank {0} needs {1} MB of memory, its GPU has {2} MB: use a smaller model, more ranks, "
                   "fewer or smaller micro-batches, or checkpointing",
                   {std::to_string(rank - needed.begin()), megabytes(static_cast<double>(*rank)),
                    megabytes(static_cast<double>(*gpu))},
                   {}};
}

std::optional<Problem> memoryCapProblem(const Plan& plan) {
    const RunConfig& config = plan.config;
    if (config.memory_cap_mb <= 0) return std::nullopt;
    const std::vector<std::int64_t> peaks = predictedPeakBytes(plan);
    const auto most = std::max_element(peaks.begin(), peaks.end());
    const double needed = static_cast<double>(*most);
    if (needed <= config.memory_cap_mb * kMegabyte) return std::nullopt;

    Problem problem;
    problem.arguments = {std::to_string(most - peaks.begin()), megabytes(needed),
                         megabytes(config.memory_cap_mb * kMegabyte)};
    const std::optional<int> m = fewerMicrobatches(config);
    const std::optional<Recompute> recompute = strongerRecompute(config);
    if (m) {
        problem.field = "m";
        problem.message = recompute
                              ? "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; "
                                "fewer micro-batches fit, or checkpointing {3}"
                              : "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; "
                                "fewer micro-batches fit";
        problem.legal = {*m};
    } else if (recompute) {
        problem.field = "recompute";
        problem.message =
            "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; checkpointing {3} fits";
    } else {
        problem.field = "memory_cap_mb";
        problem.message =
            "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; neither fewer "
            "micro-batches nor checkpointing fit";
        problem.legal = {std::lround(std::ceil(needed / kMegabyte))};
    }
    if (recompute) problem.arguments.push_back(toText(*recompute));
    return problem;
}

}  // namespace bscope
