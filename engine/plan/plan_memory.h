// What a plan needs of memory, and what is wrong when there is less. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/plan.h"

namespace bscope {

// (ranks,) most bytes of activations a rank will hold at one time: exactly what its arena will measure.
std::vector<std::int64_t> predictedPeakBytes(const Plan& plan);

// Versions of its weights a rank holds at most, 1 unless the schedule is asynchronous.
int predictedVersions(const Plan& plan, int rank);

// (ranks,) weights in all their versions, gradients, optimizer state, activations and buffers of a rank.
std::vector<std::int64_t> predictedBytes(const Plan& plan);

// What is wrong when all ranks together need more than what they share has: the machine, or one GPU. nullopt
// when it fits.
std::optional<Problem> sharedMemoryProblem(const Plan& plan, std::int64_t bytes);
// The same of ranks with a GPU each, of so many bytes, (ranks,).
std::optional<Problem> gpuMemoryProblem(const Plan& plan, std::span<const std::int64_t> bytes);

// What is wrong when a rank would hold more than config.memory_cap_mb: the numbers, and the nearest way out:
// fewer micro-batches, checkpointing, or the cap it would need. nullopt when it fits or there is no cap.
std::optional<Problem> memoryCapProblem(const Plan& plan);

}  // namespace bscope
