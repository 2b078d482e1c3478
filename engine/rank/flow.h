// Flow: what differs between an iteration with a flush and an endless stream, for the one loop over a rank's
// actions. In the rank's own thread.
#pragma once

#include "rank/launched_operation.h"
#include "schedule/action.h"

namespace bscope {

class Flow {
public:
    virtual ~Flow() = default;
    enum class Entry {
        In,    // the action is to be done
        Out,   // its micro-batch is not in the flow
        Over,  // nothing of this iteration is
    };
    // Waits until that is known.
    virtual Entry enter(const Action& action) = 0;
    // RECV: posts its receive, and those that must be posted before it.
    virtual void postReceive(const Action& action) = 0;
    // F, B, I, W or R is next: which weights it computes with, which are in place then.
    virtual UsedWeights prepare(const Action& action) = 0;
    // OPT.
    virtual void step(const Action& action) = 0;
};

}  // namespace bscope
