#include "schedule/generators.h"

#include <numeric>
#include <utility>

namespace bscope::generators {

Schedule singleChain(const ScheduleParams& params, std::vector<int> placement) {
    Schedule schedule;
    schedule.params = params;
    std::vector<int> chain(placement.size());
    std::iota(chain.begin(), chain.end(), 0);
    schedule.chains.push_back(std::move(chain));
    schedule.placement = std::move(placement);
    schedule.orders.resize(static_cast<std::size_t>(params.p));
    return schedule;
}

Schedule twoChains(const ScheduleParams& params) {
    Schedule schedule = singleChain(params, zigzagPlacement(params.p, 2));
    const std::vector<int> both = schedule.chains.front();
    schedule.chains = {{both.begin(), both.begin() + params.p}, {both.begin() + params.p, both.end()}};
    return schedule;
}

}  // namespace bscope::generators
