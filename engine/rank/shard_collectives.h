// ShardCollectives: a rank's collectives with the shards that compute its stages with it, within its
// operations (Megatron-LM's all-reduces; with sequence parallelism reduce-scatters and all-gathers): the
// clock stands still while it waits, and each is recorded. On the modelled link a reduce-scatter or an
// all-gather takes what a ring does, t - 1 messages of a t-th one after the other, and an all-reduce both. In
// the rank's own thread.
#pragma once

#include <span>

#include "model/shard_group.h"
#include "plan/plan.h"
#include "rank/ordered_sum.h"
#include "timeline/event.h"

namespace bscope {

class ShardCollectives final : public ShardGroup {
public:
    // All must outlive it.
    ShardCollectives(const Plan& plan, Executor& executor, Workplace& workplace)
        : plan_(plan), executor_(executor), sum_(executor, workplace) {}

    // Memory for the collectives of a stage, of up to so many floats.
    void reserve(int stage, std::size_t floats);
    // All shards have as many rounds before them.
    void beginIteration() { next_round_ = MessageKind::ShardRound; }
    // Outside of operations (in warm-up) each shard computes alone.
    void addUp(float* x, std::size_t floats) override;
    void scatter(float* x, std::size_t floats) override;
    void gather(float* x, std::size_t floats) override;
    // Of what a stage has between its operations; becomes no span.
    void addUpOf(int stage, std::span<float> values);

    std::size_t bufferBytes() const { return sum_.bufferBytes(); }

private:
    using Kind = KernelEvent::Kind;
    SumGroup groupOf(int stage, int microbatch) const;
    void within(Kind kind, std::span<float> values);
    void perform(Kind kind, SumGroup group, std::span<float> values);

    const Plan& plan_;
    Executor& executor_;
    OrderedSum sum_;
    MessageKind next_round_ = MessageKind::ShardRound;
};

}  // namespace bscope
