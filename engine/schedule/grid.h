// grid: the step-by-rank picture of a schedule as textbooks print it, one row a rank, one column a step.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

// One action in the picture: the steps [step, step + length) of its rank.
struct GridBox {
    int step = 0, length = 1;
    Action action;
};

// (p, ...) every rank's boxes in order, each as early as its inputs allow. F, I and W take one step, B two;
// messages take none. Throws std::invalid_argument naming the first action that can never run.
std::vector<std::vector<GridBox>> gridRows(const Schedule& schedule);

// The same in text. A cell is the operation and its micro-batch (with v > 1 or two replicas the stage in
// front), "=" where B goes on, "." where the rank idles. Throws as gridRows.
std::string toGrid(const Schedule& schedule);

}  // namespace bscope
