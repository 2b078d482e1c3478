// ShardGroup: the ranks that compute a layer together, each with a shard of its weights, as one of them sees
// it. In the rank's own thread.
#pragma once

#include <cstddef>

namespace bscope {

class ShardGroup {
public:
    virtual ~ShardGroup() = default;
    // x, device memory of the rank, becomes the sum of all shards' x, added in the order of the shards: the
    // same bits on each. Waits for the others.
    virtual void addUp(float* x, std::size_t floats) = 0;
};

}  // namespace bscope
