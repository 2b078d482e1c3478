// HandCosts: durations that are given by hand, common to all stages, and how many times these a stage
// takes, to play with a plan. A backward in one piece takes I + W, a recomputation as long as F; bytes stay
// those of the configuration. Pure functions.
#pragma once

#include <vector>

#include "timeline/costs.h"

namespace bscope {

struct HandCosts {
    double forward_ms = 1, input_ms = 1, weight_ms = 1;  // of one operation of one stage
    LinkModel link;
    std::vector<double> factors;  // by stage; 1 where it has none
    double factorOf(std::size_t stage) const { return stage < factors.size() ? factors[stage] : 1; }
    bool operator==(const HandCosts&) const = default;
};

// Of what was measured or estimated: the median stage, and its link; 1 ms where nothing is known. Of a
// backward that is known in one piece alone half is I and half W.
HandCosts handCostsOf(const Costs& costs);
Costs withHandCosts(Costs costs, const HandCosts& hand);

}  // namespace bscope
