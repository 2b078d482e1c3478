// Passes through the micro-batches, within what the files count as an iteration: a step of gradient
// accumulation holds several, a validation is one without a backward. Works on the operations of any reader.
#pragma once

#include "import/trace/traced_run.h"

namespace bscope {

// A pass whose backwards did nothing (as PyTorch's schedules name them in eval()) or that has none is forward
// only. Its backwards are taken out; where other passes train, it is left out with a note.
void leaveOutForwardPasses(TracedRun& run);

// Passes become iterations: where no iteration holds more than one, it keeps its number; else all passes count
// from 0, with a note.
void numberPasses(TracedRun& run);

}  // namespace bscope
