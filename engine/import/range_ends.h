// By how much a bubble may be too low, where times of the host leave it open. Where a file holds neither
// kernels nor calls, an operation that hands its result over ends with its range, or where its message is
// known: the way to the message counts as work, and where a rank loses its core on that way it is long. Where
// it names no operation, what lies between messages and calls counts as work. Any thread.
#pragma once

#include <span>

#include "import/trace/traced_run.h"
#include "schedule/schedule.h"
#include "timeline/timeline.h"

namespace bscope {

// Both: of the bubble of total, a share, the greatest of the iterations, as roundedUp().

// Of ranges alone: if every operation that another rank waits for had taken as long as the shortest one of
// its stage and kind.
double understatedBy(const Timeline& timeline, const Schedule& schedule, std::span<const int> iterations);

// Of a run without names: if nothing beside an operation's calls (TracedOp::around_ns) were its own.
double understatedByEdges(const TracedRun& run, const Timeline& timeline, std::span<const int> iterations);

// A share that is a bound: up to the next tenth of a percentage point, as it is shown.
double roundedUp(double share);

}  // namespace bscope
