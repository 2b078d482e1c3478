// The run that is open, live or of a file, as what is advised about: its own configuration, costs and order.
// Window thread only.
#pragma once

#include <functional>

#include "advice/advisor.h"
#include "app/session/session.h"

namespace bscope::ui {

// The iteration that numbers are shown of, else the one on the canvas.
IterationView adviceViewOf(const Session& session);
// Costs: of a file of another program its medians; else what ran last, else estimates.
AdviceRequest adviceRequestOf(const Session& session, const IterationView& view);
// What a configuration would cost by that run, as a function that can outlive the session's state: of a file
// that is open by the file's costs, else by what ran last here.
std::function<Costs(const RunConfig&)> costsOfOpenRun(const Session& session);

}  // namespace bscope::ui
