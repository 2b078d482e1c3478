#include "plan/plan_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>

#include "catalog/catalog.h"
#include "model/model.h"
#include "plan/message_needs.h"
#include "plan/message_tags.h"
#include "schedule/weight_versions.h"
#include "words/number_text.h"

namespace bscope {

namespace {

constexpr double kMegabyte = 1e6;

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

std::optional<Sentence> strongerRecompute(RunConfig config) {
    for (const Recompute choice : {Recompute::Selective, Recompute::Full}) {
        config.recompute = choice;
        if (fits(config)) return sentence(toText(choice));
    }
    config.checkpoint_every = CheckpointEvery::Layer;
    if (fits(config)) return sentence("full, every layer");
    return std::nullopt;
}

}  // namespace

namespace {

// (ranks,) of the one stage that each has.
template <class Bytes>
std::vector<std::int64_t> ofServing(const Plan& plan, Bytes bytesOf) {
    std::vector<std::int64_t> bytes(static_cast<std::size_t>(plan.ranks()));
    for (std::size_t stage = 0; stage < plan.ranges.size(); ++stage)
        bytes[static_cast<std::size_t>(plan.program.schedule.placement[stage])] =
            static_cast<std::int64_t>(bytesOf(plan.ranges[stage]));
    return bytes;
}

// Nothing but the weights is there of the layers.
std::vector<std::int64_t> servingBytes(const Plan& plan) {
    const std::size_t workspace = servingWorkspaceFloats(plan.shape, *plan.serving) * sizeof(float);
    std::vector<std::int64_t> bytes = ofServing(plan, [&](const StageRange& range) {
        return servingPeakBytes(plan.shape, range, *plan.serving) + weightBytes(plan.shape, range) +
               workspace;
    });
    for (int rank = 0; rank < plan.ranks(); ++rank)
        bytes[static_cast<std::size_t>(rank)] += static_cast<std::int64_t>(
            static_cast<std::size_t>(messageNeeds(plan.executed(), rank).held) * plan.messageBytes());
    return bytes;
}

}  // namespace

std::vector<std::int64_t> predictedPeakBytes(const Plan& plan) {
    std::vector<std::int64_t> peaks;
    if (plan.serving)
        return ofServing(plan, [&](const StageRange& range) {
            return servingPeakBytes(plan.shape, range, *plan.serving);
        });
    const auto chunk_of = [&plan](int stage) {
        return chunkBytes(plan.activations[static_cast<std::size_t>(stage)]);
    };
    for (const std::vector<Action>& actions : plan.executed().actions)
        peaks.push_back(peakBytes(actions, chunk_of, plan.forward_only));
    return peaks;
}

int predictedVersions(const Plan& plan, int rank) {
    return plan.stream ? versionsHeld(weightVersions(plan.stream->piece(), rank)) : 1;
}

// Working space, messages that wait for their consumer, the gradients of a cut sequence's keys and values,
// and what adding the gradients of replicas takes: all gradients of one stage, a slice of every copy's, and
// as much of messages on their way.
std::int64_t predictedBufferBytes(const Plan& plan, int rank) {
    const Schedule& schedule = plan.program.schedule;
    std::size_t workspace = workspaceFloats(plan.shape, static_cast<std::size_t>(plan.config.micro_batch));
    std::size_t bytes =
        static_cast<std::size_t>(messageNeeds(plan.executed(), rank).held) * plan.messageBytes();
    std::size_t largest = 0;
    for (int stage = 0; stage < plan.stages(); ++stage) {
        if (schedule.placement[static_cast<std::size_t>(stage)] != rank) continue;
        const StageRange& range = plan.ranges[static_cast<std::size_t>(stage)];
        largest = std::max(largest, weightBytes(plan.shape, range));
        workspace = std::max(workspace, summandFloats(plan.shape, range));
        bytes += joinedGradientFloats(plan.shape, range, static_cast<std::size_t>(plan.config.micro_batch)) *
                 sizeof(float);
    }
    bytes += workspace * sizeof(float);
    if (plan.replicas() > 1 && !plan.forward_only) bytes += 3 * largest;
    // A slice of every shard's.
    if (plan.shape.t > 1) bytes += plan.messageBytes() * plan.shape.rowParts();
    return static_cast<std::int64_t>(bytes);
}

std::vector<std::int64_t> predictedBytes(const Plan& plan) {
    if (plan.serving) return servingBytes(plan);
    std::vector<std::int64_t> bytes = predictedPeakBytes(plan);
    for (int rank = 0; rank < plan.ranks(); ++rank)
        bytes[static_cast<std::size_t>(rank)] += predictedBufferBytes(plan, rank);
    const bool rounded = deviceMemory(plan.config).operands == Precision::Bf16;
    for (std::size_t stage = 0; stage < plan.ranges.size(); ++stage) {
        const int rank = plan.program.schedule.placement[stage];
        const int versions = predictedVersions(plan, rank);
        const auto weights = static_cast<std::int64_t>(weightBytes(plan.shape, plan.ranges[stage]));
        bytes[static_cast<std::size_t>(rank)] +=
            (1 + versions) * weights + (rounded ? versions * weights / 2 : 0);  // and gradients
    }
    const std::vector<std::int64_t> optimizer = optimizerOfRanks(plan.config, plan.program.schedule);
    std::ranges::transform(bytes, optimizer, bytes.begin(), std::plus<>());
    return bytes;
}

std::optional<Problem> sharedMemoryProblem(const Plan& plan, std::int64_t bytes) {
    const std::vector<std::int64_t> each = predictedBytes(plan);
    const std::int64_t needed = std::accumulate(each.begin(), each.end(), std::int64_t{0});
    if (needed <= bytes) return std::nullopt;
    if (plan.serving)
        return Problem{
            "places",
            "all ranks together need {0} MB of memory, this machine has {1} MB: use a smaller model, "
            "fewer requests at a time, or shorter ones",
            {megabytesText(static_cast<double>(needed)), megabytesText(static_cast<double>(bytes))},
            {}};
    return Problem{"hidden",
                   plan.config.device == DeviceChoice::Cuda
                       ? "all ranks together need {0} MB of memory, the GPU has {1} MB: use a smaller model, "
                         "fewer or smaller micro-batches, or checkpointing"
                       : "all ranks together need {0} MB of memory, this machine has {1} MB: use a smaller "
                         "model, fewer or smaller micro-batches, or checkpointing",
                   {megabytesText(static_cast<double>(needed)), megabytesText(static_cast<double>(bytes))},
                   {}};
}

std::optional<Problem> gpuMemoryProblem(const Plan& plan, std::span<const std::int64_t> bytes) {
    const std::vector<std::int64_t> needed = predictedBytes(plan);
    const auto [rank, gpu] = std::mismatch(needed.begin(), needed.end(), bytes.begin(), std::less_equal());
    if (rank == needed.end()) return std::nullopt;
    return Problem{"hidden",
                   "rank {0} needs {1} MB of memory, its GPU has {2} MB: use a smaller model, more ranks, "
                   "fewer or smaller micro-batches, or checkpointing",
                   {std::to_string(rank - needed.begin()), megabytesText(static_cast<double>(*rank)),
                    megabytesText(static_cast<double>(*gpu))},
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
    problem.words.arguments = {std::to_string(most - peaks.begin()), megabytesText(needed),
                               megabytesText(config.memory_cap_mb * kMegabyte)};
    const std::optional<int> m = fewerMicrobatches(config);
    const std::optional<Sentence> recompute = strongerRecompute(config);
    if (m) {
        problem.field = "m";
        problem.words.id = recompute
                               ? "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; "
                                 "fewer micro-batches fit, or checkpointing {3}"
                               : "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; "
                                 "fewer micro-batches fit";
        problem.legal = {*m};
    } else if (recompute) {
        problem.field = "recompute";
        problem.words.id =
            "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; checkpointing {3} fits";
    } else {
        problem.field = "memory_cap_mb";
        problem.words.id =
            "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; neither fewer "
            "micro-batches nor checkpointing fit";
        problem.legal = {std::lround(std::ceil(needed / kMegabyte))};
    }
    if (recompute) problem.words.arguments.emplace_back(*recompute);
    return problem;
}

}  // namespace bscope
