// Warm-up: every cost that comes only once is paid before anything is timed: kernels are compiled for the
// shapes of the stages, and the memory that the program is going to need is taken and touched. No number of
// the training changes: gradients are zeroed when the next iteration begins. In the rank's thread, before its
// first iteration.
#pragma once

#include "plan/plan.h"
#include "rank/rank_stages.h"

namespace bscope {

// batch: one micro-batch.
void warmUp(const Plan& plan, int rank, RankStages& stages, const BatchView& batch);

}  // namespace bscope
