// Traces of one run that were recorded one after another: torch.profiler.schedule(repeat=2), or a folder an
// iteration, as TorchTitan writes them.
#pragma once

#include <vector>

#include "import/trace/raw_trace.h"

namespace bscope {

// Of several traces a rank the newest of each, where they are of one job: those of the last window that has as
// many ranks as any. A note says which others there are. Traces that hold nothing are left out, with a note.
// What are runs of different jobs is left as it is, and refused as that.
std::vector<RawTrace> newestWindow(std::vector<RawTrace> traces, std::vector<Sentence>& notes);

}  // namespace bscope
