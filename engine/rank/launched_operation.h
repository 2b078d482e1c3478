// LaunchedOperation: an operation that was handed to a GPU: everything but its times, which are filled in
// after the GPU's trace was read. A value.
#pragma once

#include <cstdint>
#include <vector>

#include "clock/clock.h"
#include "model/arena.h"
#include "schedule/action.h"

namespace bscope {

// What an operation did with weights or gradients; as in Event.
struct UsedWeights {
    int version = kNoVersion, staleness = 0;  // asynchronous schedules
    std::int64_t received_bytes = 0;          // of the copies' gradients or weights
};

struct LaunchedOperation {
    Action action;
    OpTime handed_over;  // work_start and work_end alone
    std::vector<ArenaRecord> memory;
    UsedWeights used;
};

}  // namespace bscope
