// UnfusedOps: the linear layers of a device without fused products, each as the product followed by the
// operation's own.
#pragma once

#include "kernels/ops.h"

namespace bscope {

class UnfusedOps : public Ops {
public:
    using Ops::run;
    BSCOPE_LINEAR_OPERATIONS(BSCOPE_RUNS)
};

}  // namespace bscope
