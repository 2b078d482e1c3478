// file_cells: what reading an order and reading a time table have in common: where each action stands, and
// what follows from the actions together.
#pragma once

#include <string>
#include <vector>

#include "schedule/formats/schedule_file.h"

namespace bscope {

// (p, ...) column of each action of schedule.orders.
using Columns = std::vector<std::vector<int>>;

// Up to kMostErrors (validate.h), and then one that says that there are more.
void addError(ScheduleFile& file, CellError error);

// Where B was written for the input gradient (there is a BW, or a W without any I): makes it I, and notes it.
void translateOldSpelling(ScheduleFile& file, bool has_whole_backward);

// p, v, m, placement and the chain, from the actions alone; errors where stages or actions are missing.
void inferShape(ScheduleFile& file);

// Adds what locateErrors finds, with the cells; a cell is listed once.
void addErrors(ScheduleFile& file, const Columns& columns, int first_microbatch);

// "row 2, cell 5: ...", or "GPU1, t=5: ..." of a time table.
Sentence placed(const ScheduleFile& file, int row, int column, const Sentence& what);

}  // namespace bscope
