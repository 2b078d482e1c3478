// Workplace: what one rank has to compute with: operations on a stream, the arena its activations live in,
// and working space that is only used within one call. Shared by the stages of the rank; one thread at a
// time.
#pragma once

#include <cstddef>
#include <memory>

#include "kernels/device.h"
#include "kernels/ops.h"
#include "model/arena.h"
#include "model/shard_group.h"

namespace bscope {

class Workplace {
public:
    explicit Workplace(Device& device, Products products = Products::Usual)
        : device_(&device), stream_(device.makeStream()), ops_(device.makeOps(*stream_)), arena_(device) {
        ops_->choose(products);
    }

    Device& device() const { return *device_; }
    Stream& stream() const { return *stream_; }
    Ops& ops() const { return *ops_; }
    Arena& arena() { return arena_; }
    const Arena& arena() const { return arena_; }

    // Working space of at least that many floats; contents never outlive a call.
    void reserveWorkspace(std::size_t floats) {
        if (workspace_.bytes() < floats * sizeof(float))
            workspace_ = Buffer(*device_, floats * sizeof(float));
    }
    float* workspace() const { return workspace_.as<float>(); }

    // Who computes with this rank; null while it computes alone. Must outlive the calls of its layers.
    void setShards(ShardGroup* shards) { shards_ = shards; }
    ShardGroup* shards() const { return shards_; }

    // Working space here and in the operations: reported apart from activations.
    std::size_t bufferBytes() const { return workspace_.bytes() + ops_->workspaceBytes(); }

private:
    Device* device_;
    std::unique_ptr<Stream> stream_;
    std::unique_ptr<Ops> ops_;
    Arena arena_;
    Buffer workspace_;
    ShardGroup* shards_ = nullptr;
};

}  // namespace bscope
