// meanDurations: what of a run's costs goes into the closed forms of schedule/bubble_formula.h.
#pragma once

#include <optional>

#include "catalog/bubble_formula.h"
#include "timeline/costs.h"

namespace bscope {

// Means over the stages in ms: R counts with I, which it stands before; of a backward in one piece i and w
// are its halves.
OperationDurations meanDurations(const Costs& costs, bool split_backward, Recompute recompute);

// The closed form of the bubble, of total, with a run's costs; nullopt where none is known.
std::optional<double> closedFormBubble(const Schedule& schedule, const Costs& costs, Recompute recompute);

}  // namespace bscope
