#include "shape/shard_rounds.h"

namespace bscope {

ShardRounds shardRounds(const RunConfig& config, int blocks, bool first, bool last) {
    const bool sequence = config.sequence_parallel;
    const double of_sum = sequence ? 1 : 2, head = sequence && last ? 1 : 0;
    const double embedding = first ? of_sum : 0;
    ShardRounds rounds{.forward = embedding + 4.0 * blocks + head,
                       .input = 4.0 * blocks + (last ? of_sum : 0)};
    if (sequence) rounds.weight = 2.0 * blocks + head + (first ? 1 : 0);
    if (last) rounds.losses_forward = 1;
    // What is computed again, but the result of a stage or layer, is summed again.
    if (config.recomputesInBackward()) {
        rounds.input += rounds.forward - embedding - of_sum * blocks;
        rounds.losses_input = rounds.losses_forward;
    }
    if (config.recomputedApart() == Recompute::Full) {
        rounds.recompute = rounds.forward - (last ? 0 : of_sum);
        rounds.losses_recompute = rounds.losses_forward;
    }
    return rounds;
}

}  // namespace bscope
