#include "app/timeline/checkpointing_plans.h"

#include "analysis/planned_iteration.h"

namespace bscope::ui {

IterationView CheckpointingPlans::withPlans(IterationView view) {
    if (view.import || !view.order || view.planned->empty() || view.numbers_hidden || view.covered)
        return view;
    const bool same = of_.planned == view.planned && of_.order == view.order && of_.config == view.config;
    if (!same) {
        of_ = view;
        known_.clear();
        std::optional<KnownCosts> own;
        if (view.report) own = KnownCosts{view.config, view.report->costs, view.order};
        const KnownCosts* const costs = own ? &*own : session_.history().knownCosts();
        for (const Recompute recompute : {Recompute::None, Recompute::Full, Recompute::Selective}) {
            RunConfig other = view.config;
            other.recompute = recompute;
            other.memory_cap_mb = 0;  // what is above the cap is shown as well
            if (recompute == view.config.recompute || !problems(other, *view.order).empty()) continue;
            const PlannedIteration plan =
                planIteration(other, *view.order, estimateCosts(other, *view.order, costs), view.start_ns,
                              view.iteration, std::max(view.first_microbatch, 0));
            if (!plan.timeline->empty()) known_.push_back({recompute, plan.timeline});
        }
    }
    view.checkpointing = known_;
    return view;
}

}  // namespace bscope::ui
