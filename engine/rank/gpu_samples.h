// GpuSamples: what is read from a rank's GPU of an iteration beside the rank's notes; TraceAssembler brings
// the samples of all ranks together. A value.
#pragma once

#include <cstdint>
#include <vector>

#include "report/report.h"
#include "trace/kernel_join.h"

namespace bscope {

struct GpuSamples {
    std::vector<WorkSpan> spans;  // times on CLOCK_MONOTONIC of its process
    std::vector<WorkSpan> later;  // kernels of earlier iterations, which have come since
    std::uint64_t dropped = 0;    // records, in this iteration
    std::int64_t link_bytes = 0, driver_bytes = 0;
    Timing timing;
};

}  // namespace bscope
