// grid: the step-by-rank picture of a schedule as textbooks print it, one row a rank, one column a step.
#pragma once

#include <string>

#include "schedule/schedule.h"

namespace bscope {

// F, I and W take one step, B two; messages take none. A cell is the operation and its micro-batch (with v >
// 1 or two replicas the stage in front), "=" where B goes on, "." where the rank idles. Throws
// std::invalid_argument naming the first action that can never run.
std::string toGrid(const Schedule& schedule);

}  // namespace bscope
