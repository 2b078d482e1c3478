// file_schedule: `file:PATH` as the name of a schedule: an order from a file (compute_only CSV), read when
// it is needed. p, v and m follow from the file; other values are a Problem.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/problem.h"
#include "schedule/schedule.h"

namespace bscope {

bool isFileSchedule(std::string_view name);  // begins with "file:"

// p, v, m of the file. Throws std::invalid_argument when it cannot be read or is not valid.
ScheduleParams fileScheduleParams(std::string_view name);

// What is wrong with the file, or with params given for it.
std::vector<Problem> fileScheduleProblems(std::string_view name, const ScheduleParams& params);

// Throws std::invalid_argument listing everything that is wrong with the file.
Schedule readFileSchedule(std::string_view name);

}  // namespace bscope
