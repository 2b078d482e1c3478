#include "rank/shard_collectives.h"

#include <utility>

namespace bscope {

namespace {

constexpr MessageKind after(MessageKind round) {
    return round == MessageKind::ShardRound ? MessageKind::ShardNext : MessageKind::ShardRound;
}

}  // namespace

SumGroup ShardCollectives::groupOf(int stage, int microbatch) const {
    const Schedule& schedule = plan_.program.schedule;
    return {.stages = schedule.shardsOf(stage),
            .own = schedule.shardOf(schedule.chainOf(stage)),
            .microbatch = microbatch,
            .hops = schedule.params.t - 1};
}

void ShardCollectives::reserve(int stage, std::size_t floats) {
    sum_.reserve(groupOf(stage, -1), floats);
}

void ShardCollectives::addUp(float* x, std::size_t floats) {
    within(Kind::AllReduce, {x, floats});
}

void ShardCollectives::scatter(float* x, std::size_t floats) {
    within(Kind::ReduceScatter, {x, floats});
}

void ShardCollectives::gather(float* x, std::size_t floats) {
    within(Kind::AllGather, {x, floats});
}

void ShardCollectives::addUpOf(int stage, std::span<float> values) {
    perform(Kind::AllReduce, groupOf(stage, -1), values);
}

void ShardCollectives::within(Kind kind, std::span<float> values) {
    if (!executor_.isWithinOperation()) return;
    const Action& action = executor_.action();
    SumGroup group = groupOf(action.stage, action.microbatch);
    group.segment = action.segment();
    // A shard's part is its t-th.
    if (kind != Kind::AllReduce) group.grain = values.size() / static_cast<std::size_t>(group.size());
    perform(kind, group, values);
}

void ShardCollectives::perform(Kind kind, SumGroup group, std::span<float> values) {
    const auto nextRound = [&] { return std::exchange(next_round_, after(next_round_)); };
    if (kind != Kind::AllGather) group.slices = nextRound();
    if (kind != Kind::ReduceScatter) group.sums = nextRound();
    std::size_t sent_bytes = 0;
    std::int64_t start_ns = 0, ready_ns = 0;
    const auto begin = [&] { start_ns = executor_.now_ns(); };
    const auto count = [&](const OrderedSum::Round& round) { sent_bytes += round.sent_bytes; };
    const auto end = [&] {
        if (executor_.isWithinOperation()) executor_.recordCollective(kind, sent_bytes, start_ns, ready_ns);
    };
    if (kind != Kind::AllGather) {
        executor_.interrupt([&] {
            begin();
            const OrderedSum::Round scattered = sum_.scatter(group, values, start_ns);
            count(scattered);
            ready_ns = scattered.ready_ns;
            if (kind == Kind::ReduceScatter) end();
        });
        sum_.add(group, values);
    }
    if (kind == Kind::ReduceScatter) return;
    executor_.interrupt([&] {
        if (kind == Kind::AllGather) begin();
        const OrderedSum::Round gathered = sum_.gather(group, values, executor_.now_ns());
        count(gathered);
        if (kind == Kind::AllGather) ready_ns = gathered.ready_ns;
        end();
    });
}

}  // namespace bscope
