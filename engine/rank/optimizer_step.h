// The optimizer's step as the configuration says it. Pure.
#pragma once

#include <cstdint>

#include "config/run_config.h"
#include "kernels/ops.h"

namespace bscope {

// The step of this number, the first being 1; nothing is clipped.
inline AdamWStep adamWStep(const TrainingConfig& config, std::int64_t number) {
    AdamWStep step;
    step.learning_rate = static_cast<float>(config.learning_rate);
    step.weight_decay = static_cast<float>(config.weight_decay);
    step.step = number;
    return step;
}

}  // namespace bscope
