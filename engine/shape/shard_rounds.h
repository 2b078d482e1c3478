// What tensor-parallel shards exchange within the operations of a stage, counted. Pure functions.
#pragma once

#include "config/run_config.h"

namespace bscope {

// How many rounds of a ring, each of t - 1 messages of a t-th of the tensor, the operations of a stage have.
// An all-reduce has two, a reduce-scatter or an all-gather one; a block has two all-reduces in each
// direction, or as many rounds of those; the embedding adds up in F, the head in B. With sequence parallelism
// weight gradients gather the inputs of products, too. And how many cross-entropies, whose collectives are of
// numbers one a token.
struct ShardRounds {
    double forward = 0, input = 0, weight = 0, recompute = 0;
    int losses_forward = 0, losses_input = 0, losses_recompute = 0;
};

// blocks: of the stage; whether it is the first and the last of its chain.
ShardRounds shardRounds(const RunConfig& config, int blocks, bool first, bool last);

}  // namespace bscope
