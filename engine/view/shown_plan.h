// showPlan: a planned iteration as what a view promises.
#pragma once

#include "analysis/planned_iteration.h"
#include "view/view_data.h"

namespace bscope {

// Of other programs' runs (view.import) the model is not known.
void showPlan(const PlannedIteration& plan, IterationView& view);

}  // namespace bscope
