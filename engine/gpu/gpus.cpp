#include "gpu/gpus.h"

#include "model/model.h"
#include "plan/plan.h"

namespace bscope {

Gpus::Gpus() : plugin_(CudaPlugin::load()) {
    for (int index = 0, all = plugin_->count(); index < all; ++index) add(index);
    keepTracing(true);
}

Gpus::Gpus(std::shared_ptr<const CudaPlugin> plugin, int only) : plugin_(std::move(plugin)) {
    add(only);
    keepTracing(true);
}

void Gpus::keepTracing(bool keep) {
    if (!keep)
        tracing_.reset();
    else if (!tracing_)
        tracing_ = std::make_unique<TracingSession>(api());
}

void Gpus::add(int index) {
    const BscopeGpu gpu = plugin_->describe(index);
    gpus_[index] = {gpu.name, gpu.bus_id, static_cast<std::int64_t>(gpu.total_bytes)};
}

Device& Gpus::device(int index, Dtype dtype, Streams streams) {
    std::unique_ptr<Device>& device = open_[{index, dtype, streams}];
    if (!device) device = makeCudaDevice(plugin_, index, precisionOf(dtype), streams);
    return *device;
}

GpuWorld& Gpus::world(Dtype dtype) {
    if (world_) return *world_;
    std::vector<GpuWorld::Seat> seats;
    for (int index = 0; index < count(); ++index)
        seats.push_back({index, &device(index, dtype, Streams::Own)});
    BscopeUniqueId id{};
    check(api().link_unique_id(&id));
    world_ = std::make_unique<GpuWorld>(api(), seats, count(), id);
    return *world_;
}

std::int64_t Gpus::usedBytes(Device& device) const {
    std::uint64_t bytes = 0;
    check(api().memory_used(cudaDeviceOf(device), &bytes));
    return static_cast<std::int64_t>(bytes);
}

void moveStage(Model& model, const StageRange& range, Device& device) {
    const std::size_t past = range.first_block + range.blocks + 1 + (range.head ? 1 : 0);
    for (std::size_t layer = firstLayer(range); layer < past; ++layer) model.layer(layer).moveTo(device);
}

}  // namespace bscope
