#include "run/gpu/gpus.h"

namespace bscope {

Gpus::Gpus() : plugin_(CudaPlugin::load()), gpus_(plugin_->gpus()) {
    for (const BscopeGpu& gpu : gpus_) names_.emplace_back(gpu.name);
}

std::int64_t Gpus::totalBytes(int index) const {
    return static_cast<std::int64_t>(gpus_[static_cast<std::size_t>(index)].total_bytes);
}

Device& Gpus::device(int index, Dtype dtype, Streams streams) {
    std::unique_ptr<Device>& device = open_[{index, dtype, streams}];
    if (!device)
        device =
            makeCudaDevice(plugin_, index, dtype == Dtype::Bf16 ? Precision::Bf16 : Precision::Fp32, streams);
    return *device;
}

std::int64_t Gpus::usedBytes(Device& device) const {
    std::uint64_t bytes = 0;
    check(api().memory_used(cudaDeviceOf(device), &bytes));
    return static_cast<std::int64_t>(bytes);
}

}  // namespace bscope
