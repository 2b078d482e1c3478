// leaveOutImpossible: iterations that cannot have run as the files say. A rank does one thing at a time, and
// nothing before what it needs.
#pragma once

#include <vector>

#include "import/numbering.h"
#include "import/trace/traced_run.h"

namespace bscope {

// Of a numbered run, its operations by iteration and start. Takes out, with a note that says why, every
// iteration in which
//   * an operation lies within another one of its rank, or, where the times are those of the host's ranges,
//     overlaps it by more than a tenth;
//   * a forward or a backward takes no time, and others of its stage do;
//   * the orders of the ranks cannot be played: B before its F, or ranks that wait for each other.
// What is left of overlaps of kernels is noted. Throws ImportError when no iteration is left, and where
// most forwards or backwards of a stage take no time.
void leaveOutImpossible(TracedRun& run, Numbering& numbering);

// Of ranges alone of runs whose clocks are one: what is handed over late by the files' account (gloo's own
// range of a send) has ended when its message is there.
void endWithMessages(TracedRun& run, const Numbering& numbering);

}  // namespace bscope
