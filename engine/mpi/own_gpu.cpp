#include "mpi/own_gpu.h"

#include <cstring>
#include <vector>

#include "words/sentence_error.h"

namespace bscope {

bool WorldName::operator==(const WorldName& other) const {
    return size == other.size && std::memcmp(&id, &other.id, sizeof(id)) == 0;
}

OwnGpu::OwnGpu(int rank, int local) : rank_(rank) {
    try {
        auto plugin = CudaPlugin::load();
        const int visible = plugin->count();
        index_ = local % visible;
        gpus_ = std::make_unique<Gpus>(std::move(plugin), index_);
        described_ = {gpus_->busId(index_), gpus_->name(index_), gpus_->totalBytes(index_), {}};
    } catch (const std::runtime_error& error) {
        described_.why_not = sentenceOf(error);
    }
}

WorldName OwnGpu::nameWorld(int size) const {
    if (name_ && name_->size == size) return *name_;
    WorldName name{.size = size};
    check(gpus_->api().link_unique_id(&name.id));
    return name;
}

GpuWorld& OwnGpu::world(const WorldName& name, Dtype dtype) {
    if (world_ && name_ == name) return *world_;
    dropWorld();
    const std::vector<GpuWorld::Seat> seats{{rank_, &gpus_->device(index_, dtype, Streams::Own)}};
    world_ = std::make_unique<GpuWorld>(gpus_->api(), seats, name.size, name.id);
    name_ = name;
    return *world_;
}

void OwnGpu::dropWorld() {
    world_.reset();
    name_.reset();
}

}  // namespace bscope
