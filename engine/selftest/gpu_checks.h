// What only a GPU can show: that the tracer sees the kernels of every action in time order, of CUDA graphs,
// too, and that the driver's count of used memory agrees with what was allocated.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device.h"
#include "kernels/plugin/plugin.h"
#include "selftest/op_checks.h"

namespace bscope {

// Tracing goes on from one check to the next while this is held (TracingSession).
std::shared_ptr<void> keepTracing(const CudaPlugin& plugin);

std::vector<Check> checkGpu(const CudaPlugin& plugin, Device& device);

}  // namespace bscope
