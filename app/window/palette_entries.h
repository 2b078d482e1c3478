// What the command palette offers: every action of the window with its key, every schedule by its names and
// those of the frameworks, the options of the tool bar and of Setup, the lessons; each says why it is not
// possible now. Window thread only.
#pragma once

#include <vector>

#include "app/find/palette_entry.h"
#include "app/session/session.h"
#include "app/shell/window_actions.h"
#include "widgets/bars/control_bar.h"
#include "widgets/gantt/commands.h"

namespace bscope::ui {

// What the Improve view is looked for by, in both languages: it answers several questions.
QStringList namesOfImprove();

// canvas: the commands among the actions that are the canvas's own.
std::vector<PaletteEntry> paletteEntries(const WindowActions& actions, const Commands& canvas,
                                         const Session& session, ControlBar& controls);

}  // namespace bscope::ui
