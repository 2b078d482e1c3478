// The run that is open, live or of a file, as what is advised about: its own configuration, costs and order.
// Window thread only.
#pragma once

#include "analysis/advisor.h"
#include "app/session/session.h"

namespace bscope::ui {

// The iteration that numbers are shown of, else the one on the canvas.
IterationView adviceViewOf(const Session& session);
// Costs: of a file of another program its medians; else what ran last, else estimates.
AdviceRequest adviceRequestOf(const Session& session, const IterationView& view);

}  // namespace bscope::ui
