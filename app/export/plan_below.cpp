#include "app/export/plan_below.h"

#include "advice/advisor.h"
#include "analysis/hand_costs_for.h"
#include "app/session/advice_request.h"
#include "catalog/catalog.h"
#include "view/shown_plan.h"

namespace bscope::ui {

std::optional<IterationView> planBelow(const Session& session, const IterationView& shown,
                                       const std::string& schedule) {
    IterationView view;
    view.config = shown.config;
    if (schedule != shown.config.schedule) {
        const CatalogEntry* entry = findSchedule(schedule);
        if (entry == nullptr) return std::nullopt;
        view.config.schedule = entry->name;
        takeUsual(view.config.params, *entry);
        // A split is of as many stages as it names.
        if (view.config.params.stagesOfReplica() != shown.config.params.stagesOfReplica())
            view.config.layers_per_stage.clear();
    }
    if (!canBeMade(view.config.schedule, view.config.params)) return std::nullopt;
    if (!shown.import && !session.problemsOf(view.config).empty()) return std::nullopt;
    const AdviceRequest request = adviceRequestOf(session, shown);
    Setting setting;
    setting.config = view.config;
    if (schedule == shown.config.schedule) setting.order = shown.order;
    view.order = std::make_shared<const Schedule>(scheduleOfSetting(request, setting));
    Costs costs = costsOfSetting(request, setting, *view.order);
    costs.stages.resize(view.order->placement.size());
    if (shown.hand_costs) {
        HandCosts hand =
            shown.order ? handCostsFor(*shown.hand_costs, *shown.order, *view.order) : *shown.hand_costs;
        costs = withHandCosts(std::move(costs), hand);
        view.config.link = hand.link;
        view.costs_by_hand = true;
        view.hand_costs = std::move(hand);
    }
    const PlannedIteration plan = planIteration(view.config, *view.order, costs);
    view.ran = std::make_shared<const Timeline>(plan.timeline->ranks(), Provenance::Predicted);
    view.costs_measured = !shown.hand_costs && (shown.import || shown.report);
    view.alternative = true;
    view.device = shown.device;
    view.import = shown.import;
    showPlan(plan, view);
    return view;
}

}  // namespace bscope::ui
