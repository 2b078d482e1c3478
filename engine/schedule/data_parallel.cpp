#include "schedule/data_parallel.h"

#include <stdexcept>

#include "words/sentence_error.h"

namespace bscope {

Schedule dataParallel(Schedule schedule, int d) {
    if (d == 1) return schedule;
    if (schedule.replicas() != 1)
        throw SentenceError<std::invalid_argument>(
            sentence("{0} has several replicas already and cannot be replicated", schedule.name));
    Schedule world = schedule;
    world.params.d = d;
    const RankLayout layout = world.params.layout();
    world.chain_microbatches.assign(static_cast<std::size_t>(d), schedule.microbatchesOfChain(0));
    world.placement.clear();
    world.chains.assign(static_cast<std::size_t>(d), schedule.chains.front());
    world.orders.assign(schedule.orders.size() * static_cast<std::size_t>(d), {});
    for (int replica = 0; replica < d; ++replica) {
        const int first_stage = replica * schedule.stageCount();
        for (int& stage : world.chains[static_cast<std::size_t>(replica)]) stage += first_stage;
        for (const int rank : schedule.placement) world.placement.push_back(layout.rankOf(rank, replica));
        for (std::size_t rank = 0; rank < schedule.orders.size(); ++rank) {
            std::vector<Action>& order =
                world.orders[static_cast<std::size_t>(layout.rankOf(static_cast<int>(rank), replica))];
            order = schedule.orders[rank];
            for (Action& action : order) action = action.withStage(action.stage + first_stage);
        }
    }
    return world;
}

}  // namespace bscope
