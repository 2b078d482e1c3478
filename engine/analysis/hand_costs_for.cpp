#include "analysis/hand_costs_for.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/layer_costs.h"
#include "schedule/index.h"

namespace bscope {

HandCosts handCostsFor(const HandCosts& hand, const Schedule& given_for, const Schedule& order) {
    if (given_for.orders.size() != order.orders.size() || given_for.chains == order.chains) return hand;
    HandCosts out = hand;
    out.factors.clear();
    const std::vector<int>& of_chain = given_for.chains.front();
    const double share =
        static_cast<double>(of_chain.size()) / static_cast<double>(order.chains.front().size());
    for (double HandCosts::*ms : {&HandCosts::forward_ms, &HandCosts::input_ms, &HandCosts::weight_ms})
        out.*ms *= share;
    bool are_equal = true;
    std::vector<double> factors(order.placement.size(), 1);
    for (std::size_t number = 0; number < order.chains.size(); ++number) {
        Costs work;
        for (const int stage : given_for.chains[std::min(number, given_for.chains.size() - 1)])
            work.stages.emplace_back().forward_ns = hand.factorOf(at(stage));
        const std::vector<int>& stages = order.chains[number];
        const Costs cut = costsForStages(work, static_cast<int>(stages.size()));
        for (std::size_t place = 0; place < stages.size(); ++place) {
            double& factor = factors[at(stages[place])];
            factor = cut.stages[place].forward_ns / share;
            if (std::abs(factor - 1) < 1e-9) factor = 1;
            are_equal = are_equal && factor == 1;
        }
    }
    if (!are_equal) out.factors = std::move(factors);
    return out;
}

}  // namespace bscope
