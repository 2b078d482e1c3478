// Whether two configurations train alike. A cap decides what is tried and not how it runs, and durations turn
// from raw into calibrated by themselves on a busy machine. Pure function.
#pragma once

#include "config/run_config.h"

namespace bscope {

inline bool runsAlike(RunConfig a, const RunConfig& b) {
    a.memory_cap_mb = b.memory_cap_mb;
    a.durations = b.durations;
    return a == b;
}

}  // namespace bscope
