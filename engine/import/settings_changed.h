// Files of two runs one after the other that number no steps, or of one run whose settings changed.
#pragma once

#include "import/trace/traced_run.h"

namespace bscope {

// Where iterations that all ran alike are followed for good by others that all ran alike, only the newer ones are
// left, with a note that says what differs. Two iterations of each are enough; what an iteration did is its
// operations, their numbers and their order on every rank. Before operations are numbered.
void keepNewestSettings(TracedRun& run);

}  // namespace bscope
