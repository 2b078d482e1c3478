// What the command palette offers: every action of the window with its key, every schedule by its names and
// those of the frameworks, the options of the tool bar and of Setup, the lessons; each says why it is not
// possible now. Window thread only.
#pragma once

#include <vector>

#include "app/find/palette_entry.h"

namespace bscope::ui {

class MainWindow;

std::vector<PaletteEntry> paletteEntries(MainWindow& window);

}  // namespace bscope::ui
