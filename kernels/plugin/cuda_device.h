// A GPU as a Device, through the plugin. Work of a Stream's Ops is handed to the GPU and not waited for;
// Stream::synchronize() waits. Copies and fills of the Device are done when they return, but do not wait for
// streams: synchronize first.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/device.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

// What products and attention compute in; sums, weights and everything in memory are fp32 either way.
enum class Precision { Fp32, Bf16 };

// Throws PluginError when there is no GPU `index`, DeviceError when it cannot be opened.
std::unique_ptr<Device> makeCudaDevice(std::shared_ptr<const CudaPlugin> plugin, int index,
                                       Precision precision);

// The plugin's handle of a stream that a device of makeCudaDevice made.
BscopeStream* cudaStreamOf(Stream& stream);

}  // namespace bscope
