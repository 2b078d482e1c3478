// RangeMaximum: greatest live bytes over any range of memory points, so that a curve of a million points
// costs time by pixels. One level of block maxima; a query reads at most two blocks and the maxima between
// them.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/packed_rows.h"

namespace bscope {

class RangeMaximum {
public:
    RangeMaximum() = default;
    explicit RangeMaximum(const MemoryPoints& points);
    // Greatest live_bytes of points[first, past); first < past. `points` as given to the constructor, or
    // longer.
    std::int64_t over(const MemoryPoints& points, std::size_t first, std::size_t past) const;

private:
    static constexpr std::size_t kBlock = 32;
    std::vector<std::int64_t> blocks_;
};

}  // namespace bscope
