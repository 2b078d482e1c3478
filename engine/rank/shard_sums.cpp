#include "rank/shard_sums.h"

namespace bscope {

SumGroup ShardSums::groupOf(int stage, int microbatch) const {
    const Schedule& schedule = plan_.program.schedule;
    return {.stages = schedule.shardsOf(stage),
            .own = schedule.shardOf(schedule.chainOf(stage)),
            .slices = MessageKind::ShardSlice,
            .sums = MessageKind::ShardSum,
            .microbatch = microbatch,
            .hops = schedule.params.t - 1};
}

void ShardSums::reserve(int stage) {
    sum_.reserve(groupOf(stage, -1), plan_.messageBytes() / sizeof(float));
}

void ShardSums::addUp(float* x, std::size_t floats) {
    if (!executor_.isWithinOperation()) return;
    const Action& action = executor_.action();
    const SumGroup group = groupOf(action.stage, action.microbatch);
    const std::span values(x, floats);
    OrderedSum::Round scattered, gathered;
    std::int64_t start_ns = 0;
    executor_.interrupt([&] {
        start_ns = executor_.now_ns();
        scattered = sum_.scatter(group, values, start_ns);
    });
    sum_.add(group, values);
    executor_.interrupt([&] {
        gathered = sum_.gather(group, values, executor_.now_ns());
        executor_.recordShardSum(scattered.sent_bytes + gathered.sent_bytes, start_ns, scattered.ready_ns);
    });
}

}  // namespace bscope
