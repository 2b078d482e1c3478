// Warm-up: every cost that comes only once is paid before anything is timed: kernels are compiled for the shapes of
// the stages, and the memory that the program is going to need is taken and touched. No number of the training
// changes: gradients are zeroed when the next iteration begins. In the rank's thread, before its first iteration.
#pragma once

#include <memory>
#include <vector>

#include "model/stage.h"
#include "run/plan.h"

namespace bscope {

// stages: (stages,), null where the stage lives on another rank; batch: one micro-batch.
void warmUp(const Plan& plan, int rank, Workplace& workplace, const std::vector<std::unique_ptr<Stage>>& stages,
            const BatchView& batch);

}  // namespace bscope
