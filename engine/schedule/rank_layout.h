// Which global rank is which pipeline stage, replica and tensor-parallel shard, and the groups that
// communicate, as Megatron-LM lays them out (parallel_state.py). Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "words/sentence.h"

namespace bscope {

// From the neighbours on: the first dimension's ranks are next to each other. Megatron-LM's names of its
// orders, without the dimensions that there are not here.
enum class RankOrder { TpDpPp, TpPpDp };

// The one owner of rank arithmetic: whatever counts ranks, or asks which replica one belongs to, asks here.
struct RankLayout {
    int p = 1, d = 1;
    int t = 1;  // shards of every stage
    RankOrder order = RankOrder::TpDpPp;

    int world() const { return t * p * d; }  // of legal sizes
    // What the world is made of: "p", or "p * d * t" without what is 1.
    std::string worldText(const char* times = " * ") const;
    int groups() const { return p * d; }  // of t shards
    int shardOf(int rank) const { return rank % t; }
    // The position in its pipeline.
    int stageOf(int rank) const { return order == RankOrder::TpDpPp ? rank / t / d : rank / t % p; }
    int replicaOf(int rank) const { return order == RankOrder::TpDpPp ? rank / t % d : rank / t / p; }
    // That they compute a stage together.
    bool shareStage(int rank, int other) const {
        return stageOf(rank) == stageOf(other) && replicaOf(rank) == replicaOf(other);
    }
    int rankOf(int stage, int replica, int shard = 0) const {
        return shard + t * (order == RankOrder::TpDpPp ? replica + d * stage : stage + p * replica);
    }
    // (p d,) of t ranks each: ranks that compute a stage together.
    std::vector<std::vector<int>> tensorParallelGroups() const;
    // (t d,) of p ranks each, first stage first: ranks that pass activations on.
    std::vector<std::vector<int>> pipelineGroups() const;
    // (t p,) of d ranks each: ranks that add their gradients.
    std::vector<std::vector<int>> dataParallelGroups() const;
};

inline constexpr int kMostLayoutRanks = 65536;

// All that is wrong with the sizes; empty when world, where it is given, is t p d.
std::vector<Sentence> layoutProblems(const RankLayout& layout, std::optional<long> world);

}  // namespace bscope
