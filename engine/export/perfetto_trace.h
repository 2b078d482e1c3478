// perfettoTrace: a Timeline as Perfetto's own trace format (protobuf, TrackEvent), which ui.perfetto.dev and
// trace_processor open. Under one track named after the provenance: a track a rank, below it one for the
// kernels of its boxes where a GPU ran or the collectives of tensor-parallel shards, one for its receives
// (wait and transfer apart) and a counter of its activation bytes; flows from producer to consumer.
#pragma once

#include <ostream>
#include <span>

#include "timeline/timeline.h"

namespace bscope {

// All iterations, in nanoseconds. Perfetto has no time before 0: where an event is earlier (a rank that is
// ahead of the first one's clock), all times are counted from the earliest one.
void writePerfettoTrace(std::ostream& out, const Timeline& timeline,
                        std::span<const KernelEvent> kernels = {});

}  // namespace bscope
