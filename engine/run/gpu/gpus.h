// Gpus: the GPUs of this machine as devices of a run. A device is opened when it is first asked for and stays
// open, since layers live on it; so does the communicator over all of them. device() and the world from one
// thread; the rest from any.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/plugin/cuda_device.h"
#include "kernels/plugin/gpu_world.h"
#include "schedule/run_config.h"

namespace bscope {

class Gpus {
public:
    // Throws PluginError: what is missing, and how to get it.
    Gpus();

    int count() const { return static_cast<int>(gpus_.size()); }
    const std::string& name(int index) const { return names_[static_cast<std::size_t>(index)]; }
    std::int64_t totalBytes(int index) const;
    const BscopePlugin& api() const { return plugin_->api(); }
    // Throws DeviceError.
    Device& device(int index, Dtype dtype, Streams streams);
    // Over all GPUs of this machine, begun when first asked for. Throws DeviceError.
    GpuWorld& world(Dtype dtype);
    // It is of no use any more: the next one to ask gets a new one.
    void dropWorld() { world_.reset(); }
    // What the driver counts as used on that device, by everybody.
    std::int64_t usedBytes(Device& device) const;

private:
    std::shared_ptr<const CudaPlugin> plugin_;
    std::vector<BscopeGpu> gpus_;
    std::vector<std::string> names_;
    std::map<std::tuple<int, Dtype, Streams>, std::unique_ptr<Device>> open_;
    std::unique_ptr<GpuWorld> world_;
};

}  // namespace bscope
