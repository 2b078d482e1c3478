// The plan of another schedule, to be drawn below what is shown: the same sizes and the same costs. Nothing
// runs.
#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"
#include "view/view_data.h"

namespace bscope::ui {

// Of another schedule with the v that it begins with; of the same one with the given costs. The split of the
// layers stays, except where the number of stages changes: then it is even. Nothing: these sizes do not
// allow it.
std::optional<IterationView> planBelow(const Session& session, const IterationView& shown,
                                       const std::string& schedule);

}  // namespace bscope::ui
