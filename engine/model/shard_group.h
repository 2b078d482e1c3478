// ShardGroup: the ranks that compute a layer together, each with a shard of its weights, as one of them sees
// it. In the rank's own thread.
#pragma once

#include <cstddef>

namespace bscope {

// x: device memory of the rank. A shard's part of it is its t-th, in the order of the shards. Each call waits
// for the others.
class ShardGroup {
public:
    virtual ~ShardGroup() = default;
    // All-reduce: x becomes the sum of all shards' x, added in the order of the shards: the same bits on
    // each.
    virtual void addUp(float* x, std::size_t floats) = 0;
    // Reduce-scatter: the own part of x becomes that of the sum, of the same bits; the others' are undefined.
    virtual void scatter(float* x, std::size_t floats) = 0;
    // All-gather: every other part of x becomes the one that its shard has.
    virtual void gather(float* x, std::size_t floats) = 0;
};

}  // namespace bscope
