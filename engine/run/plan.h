// Plan: what follows from a RunConfig before anything runs: the program, which layers every stage has, and
// how many bytes its activations take. Values and pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/stage.h"
#include "schedule/endless_stream.h"
#include "schedule/program.h"
#include "schedule/run_config.h"
#include "shape/config_shape.h"

namespace bscope {

struct Plan {
    RunConfig config;
    Program program;
    std::optional<EndlessStream> stream;  // asynchronous schedules; the program is then only what is drawn
    ModelShape shape;
    std::vector<int> layers_per_stage;         // (stages,)
    std::vector<StageRange> ranges;            // (stages,)
    std::vector<ActivationBytes> activations;  // (stages,) of one micro-batch

    int ranks() const { return config.params.ranks(); }
    int replicas() const { return program.schedule.replicas(); }
    int stages() const { return program.schedule.stageCount(); }
    std::size_t messageBytes() const;  // B * T * C * 4, activation or gradient
    // The program whose memory and times are those of the run.
    const Program& executed() const { return stream ? stream->piece() : program; }
    int optimizerSteps() const { return forwardOnly() ? 0 : stream ? stream->steps() : 1; }  // an iteration
    bool forwardOnly() const { return program.schedule.isForwardOnly(); }
    StageOptions stageOptions(int stage) const;
};

// The config must have no problems(), and its device must be known: auto counts as the CPU.
Plan makePlan(const RunConfig& config);
// The same with a schedule of one's own; config.params must be the schedule's.
Plan makePlan(const RunConfig& config, const Schedule& schedule);

// (ranks,) most bytes of activations a rank will hold at one time: exactly what its arena will measure.
std::vector<std::int64_t> predictedPeakBytes(const Plan& plan);

// Versions of its weights a rank holds at most, 1 unless the schedule is asynchronous.
int predictedVersions(const Plan& plan, int rank);

// (ranks,) weights in all their versions, gradients, optimizer state, activations and buffers of a rank.
std::vector<std::int64_t> predictedBytes(const Plan& plan);

// What the messages of a stage's REDUCE_GRAD take on the modelled link: its two rounds. ns.
double reductionTransfer_ns(const Plan& plan, int stage);

// What is wrong when all ranks together need more than what they share has: the machine, or one GPU. nullopt
// when it fits.
std::optional<Problem> sharedMemoryProblem(const Plan& plan, std::int64_t bytes);
// The same of ranks with a GPU each, of so many bytes, (ranks,).
std::optional<Problem> gpuMemoryProblem(const Plan& plan, std::span<const std::int64_t> bytes);

// What is wrong when a rank would hold more than config.memory_cap_mb: the numbers, and the nearest way out:
// fewer micro-batches, checkpointing, or the cap it would need. nullopt when it fits or there is no cap.
std::optional<Problem> memoryCapProblem(const Plan& plan);

}  // namespace bscope
