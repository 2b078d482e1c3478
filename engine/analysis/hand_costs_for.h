// Costs by hand that were given for one order, for another one: what a rank computes stays the same. Pure
// function.
#pragma once

#include "analysis/hand_costs.h"
#include "schedule/schedule.h"

namespace bscope {

// So that a micro-batch takes as much work under both: where a rank holds v chunks instead of one, each has a
// v-th of it, and a stage that takes longer shares that with its chunks. Of an order with other ranks: as
// they are.
HandCosts handCostsFor(const HandCosts& hand, const Schedule& given_for, const Schedule& order);

}  // namespace bscope
