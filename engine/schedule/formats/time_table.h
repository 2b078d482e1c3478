// time_table: reads a time table. A cell is an operation and its micro-batch (F1, b3, W 2; with a stage in
// front when a rank holds several: 2F1), or idle (empty, -, ., idle). The same cell again beside it, or =,
// makes the box longer. The first column may hold labels, the first line times. Micro-batches may count
// from 1. Without a stage a row runs the stage of its own number.
#pragma once

#include <string>
#include <vector>

#include "schedule/formats/schedule_file.h"

namespace bscope {

// Whether the cells look like a time table rather than an order.
bool looksLikeTimeTable(const std::vector<std::vector<std::string>>& rows);

// Fills everything of a ScheduleFile but schedule.name.
ScheduleFile readTimeTable(std::vector<std::vector<std::string>> rows);

}  // namespace bscope
