#include "analysis/hand_costs.h"

#include "timeline/median.h"

namespace bscope {
namespace {

double medianMs(const Costs& costs, double StageCosts::*ns) {
    std::vector<double> all;
    for (const StageCosts& stage : costs.stages) all.push_back(stage.*ns / 1e6);
    return all.empty() ? 0 : median(all);
}

}  // namespace

HandCosts handCostsOf(const Costs& costs) {
    HandCosts hand;
    hand.link = costs.link;
    const double forward_ms = medianMs(costs, &StageCosts::forward_ns),
                 whole_ms = medianMs(costs, &StageCosts::backward_ns);
    double input_ms = medianMs(costs, &StageCosts::input_ns),
           weight_ms = medianMs(costs, &StageCosts::weight_ns);
    if (input_ms <= 0 || weight_ms <= 0) input_ms = weight_ms = whole_ms / 2;
    if (forward_ms <= 0 || input_ms <= 0 || weight_ms <= 0) return hand;
    hand.forward_ms = forward_ms;
    hand.input_ms = input_ms;
    hand.weight_ms = weight_ms;
    return hand;
}

Costs withHandCosts(Costs costs, const HandCosts& hand) {
    for (std::size_t i = 0; i < costs.stages.size(); ++i) {
        StageCosts& stage = costs.stages[i];
        const double ms = 1e6 * hand.factorOf(i);
        stage.forward_ns = stage.recompute_ns = ms * hand.forward_ms;
        stage.input_ns = ms * hand.input_ms;
        stage.weight_ns = ms * hand.weight_ms;
        stage.backward_ns = stage.input_ns + stage.weight_ns;
    }
    costs.link = hand.link;
    costs.handover_ns = 0;
    return costs;
}

}  // namespace bscope
