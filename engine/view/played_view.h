// An iteration as it was at a time: what had ended by then ran, and what comes is its plan. The slow play of
// the window and films show it. Values; any thread.
#pragma once

#include <vector>

#include "view/view_data.h"

namespace bscope {

// What is played: what ran, of a plan its operations.
const std::shared_ptr<const Timeline>& playedOf(const IterationView& view);
// Whether it can be played: complete, or a plan, and not covered by a lesson.
bool canBePlayed(const IterationView& view);
// Of its operations, relative to its start, ascending, each time once.
std::vector<std::int64_t> operationEnds(const IterationView& view);
// The same of whole micro-batches: when the last operation of each ends.
std::vector<std::int64_t> microbatchEnds(const IterationView& view);
// time_ns: relative to its start.
IterationView playedUntil(const IterationView& whole, std::int64_t time_ns);

}  // namespace bscope
