// Grids that come from elsewhere: a schedule of the catalog as a starting point, or a file. Any thread.
#pragma once

#include <string_view>

#include "puzzle/puzzle_grid.h"
#include "schedule/formats/schedule_file.h"

namespace bscope {

// Why the schedule cannot be built in this level; empty: it can.
Sentence whyNotInLevel(const PuzzleLevel& level, std::string_view schedule);
// Puts it into the grid; the reason when it cannot, and then nothing changes. Any name of the catalog.
Sentence openCatalog(PuzzleGrid& grid, std::string_view schedule);
// An order of actions or a time table, whole or in part, of the level's ranks; the reason as above.
Sentence openFile(PuzzleGrid& grid, const ScheduleFile& file);

}  // namespace bscope
