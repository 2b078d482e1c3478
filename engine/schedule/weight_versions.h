// weightVersions: which version of its weights every action of a rank reads, and which one a step writes.
// Version n is what n optimizer steps of the rank have made.
#pragma once

#include <vector>

#include "schedule/program.h"

namespace bscope {

// The version that forward and backward of a micro-batch read on a rank, counted from the start of the
// schedule:
//   Flush:        0.
//   Stashed:      what is there when the forward comes, max(0, i - (p-1-r)); with vertical sync what was
//   there
//                 when it came on rank 0, max(0, i - (p-1)).
//   DoubleBuffer: max(0, b - 1) for a micro-batch of batch b.
int versionRead(const Schedule& schedule, int rank, int microbatch);

struct VersionedAction {
    Action action;      // F, B, I, W or OPT
    int reads = 0;      // F and backward: version computed with; OPT: version that the update is applied to
    int gradient = -1;  // OPT: version that its gradients were computed with
    int writes = -1;    // OPT: version it makes
};

// One rank of a Program. Every micro-batch reads as versionRead() says. Flush: one step at the end. Stashed:
// the step after B(i) applies the gradient of the version that B(i) read. DoubleBuffer: likewise after a
// batch, so that W(b+1) = W(b) - lr * gradient(W(max(0, b-1))).
std::vector<VersionedAction> weightVersions(const Program& program, int rank);

// Versions that must be held at the same time, the newest included.
int versionsHeld(const std::vector<VersionedAction>& actions);

}  // namespace bscope
