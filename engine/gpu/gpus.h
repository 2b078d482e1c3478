// Gpus: the GPUs of this machine as devices of a run. A device is opened when it is first asked for and stays
// open, since layers live on it; so does the communicator over all of them. device() and the world from one
// thread; the rest from any.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "config/run_config.h"
#include "kernels/plugin/cuda_device.h"
#include "kernels/plugin/gpu_world.h"
#include "trace/gpu_tracer.h"

namespace bscope {

class Model;
struct StageRange;

class Gpus {
public:
    // Throws PluginError: what is missing, and how to get it.
    Gpus();
    // Of all that the process sees it will use this one, and touches no other.
    Gpus(std::shared_ptr<const CudaPlugin> plugin, int only);

    // Tracing goes on from one pipeline to the next, as it does at first; or it can be stopped.
    void keepTracing(bool keep);
    // Of those in use.
    int count() const { return static_cast<int>(gpus_.size()); }
    const std::string& name(int index) const { return gpus_.at(index).name; }
    const std::string& busId(int index) const { return gpus_.at(index).bus_id; }
    std::int64_t totalBytes(int index) const { return gpus_.at(index).total_bytes; }
    const BscopePlugin& api() const { return plugin_->api(); }
    // Throws DeviceError.
    Device& device(int index, Dtype dtype, Streams streams);
    // Over all GPUs of this machine, begun when first asked for. Throws DeviceError.
    GpuWorld& world(Dtype dtype);
    // It is of no use any more: the next call makes a new one.
    void dropWorld() { world_.reset(); }
    // What the driver counts as used on that device, by everybody.
    std::int64_t usedBytes(Device& device) const;

private:
    struct Gpu {
        std::string name, bus_id;
        std::int64_t total_bytes;
    };
    void add(int index);

    std::shared_ptr<const CudaPlugin> plugin_;
    std::unique_ptr<TracingSession> tracing_;
    std::map<int, Gpu> gpus_;
    std::map<std::tuple<int, Dtype, Streams>, std::unique_ptr<Device>> open_;
    std::unique_ptr<GpuWorld> world_;
};

// Every layer of a stage goes to that device.
void moveStage(Model& model, const StageRange& range, Device& device);

}  // namespace bscope
