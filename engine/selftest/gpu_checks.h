// What only a GPU can show: that the tracer sees the kernels of every action in time order, of CUDA graphs,
// too, and that the driver's count of used memory agrees with what was allocated.
#pragma once

#include "kernels/device.h"
#include "kernels/plugin/plugin.h"
#include "selftest/op_checks.h"

namespace bscope {

std::vector<Check> checkGpu(const CudaPlugin& plugin, Device& device);

}  // namespace bscope
