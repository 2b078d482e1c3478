#include "app/tune/advice_request.h"

#include "schedule/catalog.h"

namespace bscope::ui {

IterationView adviceViewOf(const Session& session) {
    return session.numbers().value_or(session.shown());
}

AdviceRequest adviceRequestOf(const Session& session, const IterationView& view) {
    AdviceRequest request;
    KnownCosts& known = request.known;
    if (const KnownCosts* measured = session.history().knownCosts())
        known = *measured;
    else
        known = {view.config, session.costsOf(view.config), view.order};
    if (view.import) known.costs = view.import->costs;
    request.knows_model = view.import == nullptr;
    if (!known.order && scheduleProblems(known.config.schedule, known.config.params).empty())
        known.order =
            std::make_shared<const Schedule>(makeSchedule(known.config.schedule, known.config.params));
    return request;
}

}  // namespace bscope::ui
