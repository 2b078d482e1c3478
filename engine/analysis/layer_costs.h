// Costs of layers, from those of stages that were measured, and the best split of layers over stages. Pure
// functions.
#pragma once

#include <span>
#include <vector>

#include "timeline/costs.h"

namespace bscope {

// What one Transformer block takes, and what the first stage has besides (embedding) and the last (final
// norm, head, loss). Durations alone.
struct LayerCosts {
    StageCosts block, embedding, head;

    // A stage of so many blocks.
    StageCosts stage(int blocks, bool is_first, bool is_last) const;
};

// From a chain's stages, (stages,), and their blocks, at least one in all. A block takes the median over the
// stages between the ends; without one between them, what it takes on the end where it takes less. What the
// ends take beyond their blocks is embedding and head; a single stage is all blocks.
LayerCosts layerCosts(std::span<const StageCosts> stages, std::span<const int> blocks);

// Costs of the same model cut into other stages where its layers are not known: work lies evenly within each
// stage of the run. Where the run does not tell the halves of a backward apart, each is half of it.
Costs costsForStages(const Costs& costs, int stages);

// One micro-batch through a stage: F, B (or I and W) and R when it recomputes.
double microbatch_ns(const StageCosts& stage, bool split_backward, bool recomputes);

// What the split of blocks over the stages is made for: the time of one micro-batch through a block and the
// two ends, and how many times slower each stage's rank is, (stages,).
struct SplitRequest {
    int blocks = 0;
    double block_ns = 0, embedding_ns = 0, head_ns = 0;
    std::vector<double> slowness;

    int stages() const { return static_cast<int>(slowness.size()); }
    double time_ns(int stage, int blocks_of_stage) const;
};

// (stages,) blocks of each stage, one at least but for the ends of several stages: the longest stage is as
// short as any split makes it; of those splits the one with the least sum of squares of the stages' times.
// Exact, by dynamic programming. Empty when there are fewer blocks than stages that need one.
std::vector<int> bestSplit(const SplitRequest& request);

}  // namespace bscope
