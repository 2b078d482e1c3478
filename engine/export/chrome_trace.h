// chromeTrace: a Timeline as Chrome trace events (JSON), which Perfetto and chrome://tracing open. One thread
// row a rank, below it one for the kernels of its boxes where a GPU ran and one for its receives (wait and
// transfer apart), arrows from producer to consumer, a counter for the activation memory. The provenance
// stands in otherData and in every process name, beside it "t" where several ranks compute a stage together.
#pragma once

#include <ostream>
#include <span>

#include "timeline/timeline.h"

namespace bscope {

// All iterations. Times become microseconds with three decimals, so that no nanosecond is lost.
// `shards`: of every stage, on ranks next to each other.
void writeChromeTrace(std::ostream& out, const Timeline& timeline, std::span<const KernelEvent> kernels = {},
                      int shards = 1);

}  // namespace bscope
