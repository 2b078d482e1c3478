// dataParallel: d copies of a pipeline side by side, each with its own micro-batches, which add their
// gradients before the optimizer step. A transform of a Schedule, so that whatever is said of schedules holds
// for the replicas by construction: lowering, deadlocks, prediction, the workers, drawing.
#pragma once

#include "schedule/schedule.h"

namespace bscope {

// With S stages in the chain, replica k has stages k S .. k S + S - 1 as chain k. Rank r of the pipeline is
// rank r d + k of replica k (ScheduleParams). Micro-batches count from 0 in every replica. The schedule must
// have one chain, d >= 1.
Schedule dataParallel(Schedule schedule, int d);

}  // namespace bscope
