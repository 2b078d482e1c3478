// stepOperations: the events of one rank made into its operations: beginnings and ends paired, micro-batches
// numbered from 0. What has only one of its two ends is left out with its whole iteration. Any thread.
#pragma once

#include <map>
#include <vector>

#include "import/formats/step_event.h"
#include "import/trace/traced_run.h"

namespace bscope {

struct StepOperations {
    std::vector<TracedOp> ops;    // by iteration and start
    std::map<int, int> unpaired;  // by iteration: forwards and backwards without a beginning or an end
};

// Beginnings and ends of an operation and iteration, where there are as many of both and each end has its
// beginning: the first with the first, since a rank does not begin a forward within another one. Where one is
// missing: an end with the last beginning before it. Numbers that only one of both has count for both.
StepOperations stepOperations(std::vector<StepEvent> events);

}  // namespace bscope
