#include "report/traffic.h"

#include <cmath>

#include "shape/config_shape.h"
#include "shape/shard_rounds.h"
#include "timeline/iteration_events.h"

namespace bscope {
namespace {

// What a stage receives of an operation's input from another rank.
bool receives(const Schedule& schedule, const Action& action) {
    const bool forward = action.op == Op::Forward;
    if (!forward && action.op != Op::Backward && action.op != Op::BackwardInput) return false;
    const int from = forward ? schedule.previousStage(action.stage) : schedule.nextStage(action.stage);
    return from >= 0 && schedule.placement[static_cast<std::size_t>(from)] !=
                            schedule.placement[static_cast<std::size_t>(action.stage)];
}

// What shards exchange in the operations of one micro-batch of a stage.
std::int64_t ofShards(const RunConfig& config, const Schedule& schedule, int stage, int blocks) {
    const int t = config.params.t;
    const double of_tokens = 4.0 * config.micro_batch * config.model.sequence;
    const double round = (t - 1) * of_tokens * config.model.hidden / t;
    // An all-gather of every part's maxima, two all-reduces.
    const double loss = (t - 1) * (of_tokens + 4 * of_tokens / t);
    const ShardRounds rounds =
        shardRounds(config, blocks, schedule.previousStage(stage) < 0, schedule.nextStage(stage) < 0);
    double times = rounds.forward, losses = rounds.losses_forward;
    if (!schedule.isForwardOnly()) {
        times += rounds.input + rounds.weight + rounds.recompute;
        losses += rounds.losses_input + rounds.losses_recompute;
    }
    return std::llround(times * round + losses * loss);
}

// All slices but its own, and of each other copy its own: what the two rounds of the copies bring.
void addOfCopies(RankTraffic& rank, const Schedule& schedule, int stage, std::size_t floats) {
    const int copies = schedule.replicas();
    const FloatSlice own = sliceOf(floats, copies, schedule.replicaOf(schedule.chainOf(stage)));
    const auto summed = static_cast<std::int64_t>(own.bytes()) * (copies - 1);
    const auto others = static_cast<std::int64_t>(floats * sizeof(float) - own.bytes());
    rank.gradients += summed;
    (schedule.params.zero > 0 ? rank.weights : rank.gradients) += others;
}

}  // namespace

std::vector<RankTraffic> countTraffic(const RunConfig& config, const Schedule& schedule) {
    std::vector<RankTraffic> traffic(schedule.orders.size());
    const auto of_message = static_cast<std::int64_t>(messageBytes(config));
    for (std::size_t rank = 0; rank < traffic.size(); ++rank)
        for (const Action& action : schedule.orders[rank])
            if (receives(schedule, action)) traffic[rank].pipeline += of_message;
    for (RankTraffic& rank : traffic)  // a stream's order is that of several iterations
        rank.pipeline = rank.pipeline * config.params.m / schedule.params.m;
    const ModelShape shape = shardShape(config);
    const std::vector<StageRange> ranges = rangesOfStages(config, schedule);
    const std::vector<int> blocks = blocksOfStages(config, schedule);
    for (int stage = 0; stage < schedule.stageCount(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        RankTraffic& rank = traffic[static_cast<std::size_t>(schedule.placement[index])];
        if (config.params.t > 1)
            rank.shards += schedule.microbatchesOfChain(schedule.chainOf(stage)) *
                           ofShards(config, schedule, stage, blocks[index]);
        if (schedule.replicas() > 1 && !schedule.isForwardOnly())
            addOfCopies(rank, schedule, stage, weightBytes(shape, ranges[index]) / sizeof(float));
    }
    return traffic;
}

std::vector<RankTraffic> recordedTraffic(const Timeline& timeline, const IterationReport& report) {
    std::vector<RankTraffic> traffic(static_cast<std::size_t>(timeline.ranks()));
    for (const RankReport& rank : report.ranks)
        traffic[static_cast<std::size_t>(rank.rank)].shards = rank.shards_bytes;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        RankTraffic& own = traffic[static_cast<std::size_t>(rank)];
        for (const Event& event : ofIteration(timeline.receives(rank), report.iteration))
            own.pipeline += event.bytes;
        for (const Event& event : ofIteration(timeline.compute(rank), report.iteration)) {
            if (event.op == Op::ReduceGradients) own.gradients += event.bytes;
            if (event.op == Op::GatherWeights) own.weights += event.bytes;
        }
    }
    return traffic;
}

}  // namespace bscope
