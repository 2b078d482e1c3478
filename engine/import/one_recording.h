// requireOneRecording: files of ranks that never ran at the same time are not of one run.
#pragma once

#include "import/trace/traced_run.h"

namespace bscope {

// Of ranks that read one clock. Throws ImportError where one of them began long after another had ended: by
// more than both ran, so that a message that travels between them is no reason.
void requireOneRecording(const TracedRun& run);

}  // namespace bscope
