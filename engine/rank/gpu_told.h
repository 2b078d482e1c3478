// GpuTold: what a rank's GPU knows of an iteration beside the notes; it is placed with what the others tell
// (GpuBooks). A value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/kernel_join.h"

namespace bscope {

struct GpuTold {
    std::vector<ActionSpan> spans;  // times on CLOCK_MONOTONIC of its process
    std::vector<ActionSpan> later;  // kernels of earlier ones, which have come since
    std::uint64_t dropped = 0;      // records, in this iteration
    std::int64_t link_bytes = 0, driver_bytes = 0;
    std::string timing;  // as GpuTrace::timing()
};

}  // namespace bscope
