#include "view/shown_plan.h"

namespace bscope {

void showPlan(const PlannedIteration& plan, IterationView& view) {
    view.planned = plan.timeline;
    view.plan_summary = plan.summary;
    if (plan.stream) view.first_microbatch = 0;
    if (view.import) return;
    view.planned_tokens_per_s = plan.tokens_per_s;
    view.layers_per_stage = plan.layers_per_stage;
    view.work_per_stage = plan.work_per_stage;
}

}  // namespace bscope
