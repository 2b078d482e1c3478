// understatedBy: what ranges alone leave open of a bubble. Where a file holds neither kernels nor calls, an
// operation that hands its result over ends with its range, or where its message is known: the way to the
// message counts as work, and where a rank loses its core on that way it is long. Any thread.
#pragma once

#include <span>

#include "schedule/schedule.h"
#include "timeline/timeline.h"

namespace bscope {

// By how much the bubble of total of an iteration may be too low: if every operation that another rank waits
// for had taken as long as the shortest one of its stage and kind. A share, median over the iterations.
double understatedBy(const Timeline& timeline, const Schedule& schedule, std::span<const int> iterations);

}  // namespace bscope
