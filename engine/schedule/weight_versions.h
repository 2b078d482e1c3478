// weightVersions: which version of its weights every action of a rank reads, and which one a step writes.
// Version n is what n optimizer steps of the rank have made.
#pragma once

#include <vector>

#include "schedule/program.h"

namespace bscope {

struct VersionedAction {
    Action action;      // F, B, I, W or OPT
    int reads = 0;      // F and backward: version computed with; OPT: version that the update is applied to
    int gradient = -1;  // OPT: version that its gradients were computed with
    int writes = -1;    // OPT: version it makes
};

// One rank of a Program. A backward reads what its forward read.
//   Flush:        everything reads version 0, one step at the end.
//   Stashed:      F reads the newest version; the step after B(i) applies the gradient of B(i)'s older
//   version. DoubleBuffer: batch b reads version max(0, b-1), so that W(b+1) = W(b) - lr * gradient(W(max(0,
//   b-1))).
std::vector<VersionedAction> weightVersions(const Program& program, int rank);

// Versions that must be held at the same time, the newest included.
int versionsHeld(const std::vector<VersionedAction>& actions);

}  // namespace bscope
