// ShardSums: a rank's sums with the shards that compute its stages with it, within its operations
// (Megatron-LM's all-reduces): the clock stands still while it waits, and each sum is recorded. On the
// modelled link a sum takes what a ring does: t - 1 messages of a t-th one after the other, twice. In the
// rank's own thread.
#pragma once

#include "model/shard_group.h"
#include "plan/plan.h"
#include "rank/ordered_sum.h"

namespace bscope {

class ShardSums final : public ShardGroup {
public:
    // All must outlive it.
    ShardSums(const Plan& plan, Executor& executor, Workplace& workplace)
        : plan_(plan), executor_(executor), sum_(executor, workplace) {}

    // Memory for the sums of a stage.
    void reserve(int stage);
    // Outside of operations (in warm-up) each shard computes alone.
    void addUp(float* x, std::size_t floats) override;

    std::size_t bufferBytes() const { return sum_.bufferBytes(); }

private:
    SumGroup groupOf(int stage, int microbatch) const;

    const Plan& plan_;
    Executor& executor_;
    OrderedSum sum_;
};

}  // namespace bscope
