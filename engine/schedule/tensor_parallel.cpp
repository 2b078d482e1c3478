#include "schedule/tensor_parallel.h"

namespace bscope {

Schedule tensorParallel(Schedule schedule, int t) {
    if (t == 1) return schedule;
    const int stages_of_chain = static_cast<int>(schedule.chains.front().size());
    const auto sharded = [&](int stage, int shard) {
        return stage / stages_of_chain * t * stages_of_chain + shard * stages_of_chain +
               stage % stages_of_chain;
    };
    Schedule world = schedule;
    world.params.t = t;
    const RankLayout before = schedule.params.layout(), layout = world.params.layout();
    const auto rankOf = [&](int rank, int shard) {
        return static_cast<std::size_t>(layout.rankOf(before.stageOf(rank), before.replicaOf(rank), shard));
    };
    world.placement.resize(schedule.placement.size() * static_cast<std::size_t>(t));
    world.orders.assign(schedule.orders.size() * static_cast<std::size_t>(t), {});
    world.chains.clear();
    world.chain_microbatches.clear();
    for (std::size_t chain = 0; chain < schedule.chains.size(); ++chain)
        for (int shard = 0; shard < t; ++shard) {
            std::vector<int>& of_shard = world.chains.emplace_back(schedule.chains[chain]);
            for (int& stage : of_shard) stage = sharded(stage, shard);
            world.chain_microbatches.push_back(schedule.microbatchesOfChain(static_cast<int>(chain)));
        }
    for (int shard = 0; shard < t; ++shard) {
        for (int stage = 0; stage < schedule.stageCount(); ++stage)
            world.placement[static_cast<std::size_t>(sharded(stage, shard))] =
                static_cast<int>(rankOf(schedule.placement[static_cast<std::size_t>(stage)], shard));
        for (int rank = 0; rank < static_cast<int>(schedule.orders.size()); ++rank) {
            std::vector<Action>& order = world.orders[rankOf(rank, shard)];
            order = schedule.orders[static_cast<std::size_t>(rank)];
            for (Action& action : order) action = action.withStage(sharded(action.stage, shard));
        }
    }
    return world;
}

}  // namespace bscope
