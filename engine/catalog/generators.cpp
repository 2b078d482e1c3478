#include "catalog/generators.h"

#include <numeric>
#include <utility>

#include "host/large_pages.h"

namespace bscope::generators {

Schedule singleChain(const ScheduleParams& params, std::vector<int> placement) {
    Schedule schedule;
    schedule.params = params;
    std::vector<int> chain(placement.size());
    std::iota(chain.begin(), chain.end(), 0);
    schedule.chains.push_back(std::move(chain));
    schedule.orders.resize(static_cast<std::size_t>(params.p));
    // A forward and a backward of every chunk; halves of backwards make it longer.
    const auto chunks = placement.size() / static_cast<std::size_t>(params.p);
    const std::size_t usual = 2 * chunks * static_cast<std::size_t>(params.m * params.segments);
    for (std::vector<Action>& order : schedule.orders) reserveLarge(order, usual);
    schedule.placement = std::move(placement);
    return schedule;
}

Schedule twoChains(const ScheduleParams& params) {
    Schedule schedule = singleChain(params, zigzagPlacement(params.p, 2));
    const std::vector<int> both = schedule.chains.front();
    schedule.chains = {{both.begin(), both.begin() + params.p}, {both.begin() + params.p, both.end()}};
    return schedule;
}

}  // namespace bscope::generators
