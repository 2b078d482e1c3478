// A whole small network on a device against the same network on the CPU in fp32: loss and every gradient.
#pragma once

#include "kernels/device.h"
#include "selftest/op_checks.h"

namespace bscope {

// tolerance: of the loss and of each gradient, as a share of the gradient's greatest number.
std::vector<Check> checkStage(Device& device, double tolerance);

}  // namespace bscope
