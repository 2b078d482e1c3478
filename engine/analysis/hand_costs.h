// HandCosts: durations that somebody gives by hand, the same for every stage, to play with a plan. A backward
// in one piece takes I + W, a recomputation as long as F; bytes stay those of the configuration. Pure
// functions.
#pragma once

#include "timeline/costs.h"

namespace bscope {

struct HandCosts {
    double forward_ms = 1, input_ms = 1, weight_ms = 1;  // of one operation of one stage
    LinkModel link;
    bool operator==(const HandCosts&) const = default;
};

// Of what was measured or estimated: the median stage, and its link; 1 ms where nothing is known. Of a
// backward that is known in one piece alone half is I and half W.
HandCosts handCostsOf(const Costs& costs);
Costs withHandCosts(Costs costs, const HandCosts& hand);

}  // namespace bscope
