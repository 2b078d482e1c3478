// What of the canvas's looks is kept from one start to the next. Window thread only.
#pragma once

#include "app/settings/preferences.h"
#include "widgets/data/view_state.h"

namespace bscope::ui {

class TimelineController;

void restoreLooks(const Preferences& preferences, ViewState& state, TimelineController& timeline);
void keepLooks(const ViewState& state, TimelineController& timeline, Preferences& preferences);

}  // namespace bscope::ui
