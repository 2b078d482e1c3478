#include "app/session/advice_request.h"

#include <optional>

#include "catalog/catalog.h"

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
    if (!known.order && canBeMade(known.config.schedule, known.config.params))
        known.order =
            std::make_shared<const Schedule>(makeSchedule(known.config.schedule, known.config.params));
    if (view.import) return requestOfImport(known.config, view.import->costs, known.order, known.slowness);
    return request;
}

std::function<Costs(const RunConfig&)> costsOfOpenRun(const Session& session) {
    if (session.state() == SessionState::Replaying)
        return [request = adviceRequestOf(session, adviceViewOf(session))](const RunConfig& config) {
            return costsOfSetting(request, {.config = config}, makeSchedule(config.schedule, config.params));
        };
    const KnownCosts* const known = session.history().knownCosts();
    return [known = known != nullptr ? std::optional(*known) : std::nullopt](const RunConfig& config) {
        return estimateCosts(config, known ? &*known : nullptr);
    };
}

}  // namespace bscope::ui
