// A GPU as a Device, through the plugin. Work of a Stream's Ops is handed to the GPU and not waited for;
// Stream::synchronize() waits. Copies and fills of the Device are done when they return, but do not wait for
// streams: synchronize first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/device.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

// Shared: every stream that the device makes is the same CUDA stream, so that all its users run one after
// another. The caller makes sure that one thread submits work at a time.
enum class Streams { Own, Shared };

// With bf16, products and attention compute in it and their operands are kept in it; sums and everything else
// are fp32 either way. Throws PluginError when there is no GPU `index`, DeviceError when it cannot be opened.
std::unique_ptr<Device> makeCudaDevice(std::shared_ptr<const CudaPlugin> plugin, int index,
                                       Precision precision, Streams streams = Streams::Own);

// The plugin's handles of a device of makeCudaDevice and of a stream that it made.
BscopeDevice* cudaDeviceOf(Device& device);
BscopeStream* cudaStreamOf(Stream& stream);

// A stream of its own in any case, whose kernels go before those that compute: a message that stands behind
// a product keeps two GPUs waiting.
std::unique_ptr<Stream> makeMessageStream(Device& device);

// Which forms of a product (BSCOPE_FUSED_...) those operations have done in one kernel, and which in several.
struct FusedForms {
    std::uint32_t fused = 0, apart = 0;
};
FusedForms fusedForms(const Ops& ops);

// From now on synchronize() of that stream polls, and calls watch every now and then and at the end; what
// watch throws ends the wait, though not the work.
void watchWhileWaiting(Stream& stream, std::function<void()> watch);

}  // namespace bscope
