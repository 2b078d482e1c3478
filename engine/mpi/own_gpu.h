// OwnGpu: the GPU of this process, the one with its number among the processes of this machine, and its
// membership in the communicator over the GPUs of all processes. Opens nothing before it is used. One thread.
#pragma once

#include <memory>
#include <optional>

#include "gpu/gpus.h"
#include "mpi/topology.h"

namespace bscope {

// The communicator over the GPUs of the processes 0 to size - 1.
struct WorldName {
    BscopeUniqueId id{};
    int size = 0;
    bool operator==(const WorldName& other) const;
};

class OwnGpu {
public:
    // rank: of this process; local: how many of this machine come before it. A process that sees one GPU
    // takes that; of several, the one with its number.
    OwnGpu(int rank, int local);

    // As the other processes get it.
    const PlaceGpu& described() const { return described_; }
    int rank() const { return rank_; }
    Gpus& gpus() { return *gpus_; }
    int index() const { return index_; }

    // A name for a new world, or that of the one at hand, if it is of that size.
    WorldName nameWorld(int size) const;
    // This process's member, opened when it is another one than the last. Throws DeviceError.
    GpuWorld& world(const WorldName& name, Dtype dtype);
    // Something has failed that may have left it half split.
    void dropWorld();

private:
    const int rank_;
    PlaceGpu described_;
    std::unique_ptr<Gpus> gpus_;
    int index_ = 0;
    std::optional<WorldName> name_;
    std::unique_ptr<GpuWorld> world_;
};

}  // namespace bscope
