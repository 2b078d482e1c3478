// The CPU as a Device: always there. Copies and operations are done when the call returns.
#pragma once

#include <memory>

#include "kernels/device.h"

namespace bscope {

// Every thread that computes calls prepareThread() first: one thread a rank, also inside the matrix products.
std::unique_ptr<Device> makeCpuDevice();

}  // namespace bscope
