// tensorParallel: every stage computed by t ranks together, each with a shard of its weights and all of its
// micro-batches. A transform of a Schedule as dataParallel is: the shards of a replica are chains that run
// the same order and hand results to their like, and whatever is said of ranks holds for them by
// construction. What they add up within an operation belongs to the operation.
#pragma once

#include "schedule/schedule.h"

namespace bscope {

// Of any schedule with t = 1, after dataParallel; t >= 1. With S stages in a chain, shard s of chain k has
// stages (k t + s) S .. (k t + s) S + S - 1 as chain k t + s, on rank r t + s where the stage was on rank r.
Schedule tensorParallel(Schedule schedule, int t);

}  // namespace bscope
