// Which global rank is which pipeline stage of which replica, and the groups that communicate, in the order
// of Megatron-LM (parallel_state.py, without tensor parallelism): replicas are next to each other, so a
// pipeline's ranks are world / p apart. Pure functions.
#pragma once

#include <vector>

#include "words/sentence.h"

namespace bscope {

// The one owner of rank arithmetic: whatever counts ranks, or asks which replica one belongs to, asks here.
struct RankLayout {
    int p = 1, d = 1;

    int world() const { return p * d; }  // of legal sizes
    // The position in its pipeline.
    int stageOf(int rank) const { return rank / d; }
    int replicaOf(int rank) const { return rank % d; }
    int rankOf(int stage, int replica) const { return stage * d + replica; }
    // (d,) of p ranks each, first stage first: ranks that pass activations on.
    std::vector<std::vector<int>> pipelineGroups() const;
    // (p,) of d ranks each: ranks that add their gradients.
    std::vector<std::vector<int>> dataParallelGroups() const;
};

inline constexpr int kMostLayoutRanks = 65536;

// All that is wrong with the sizes; empty when world = p d.
std::vector<Sentence> layoutProblems(const RankLayout& layout, long world);

}  // namespace bscope
