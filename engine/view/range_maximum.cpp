#include "view/range_maximum.h"

#include <algorithm>

namespace bscope {

RangeMaximum::RangeMaximum(const MemoryPoints& points) {
    blocks_.reserve(points.size() / kBlock);
    for (std::size_t first = 0; first + kBlock <= points.size(); first += kBlock) {
        std::int64_t greatest = points[first].live_bytes;
        for (std::size_t i = first + 1; i < first + kBlock; ++i)
            greatest = std::max(greatest, points[i].live_bytes);
        blocks_.push_back(greatest);
    }
}

std::int64_t RangeMaximum::over(const MemoryPoints& points, std::size_t first, std::size_t past) const {
    std::int64_t greatest = points[first].live_bytes;
    std::size_t i = first;
    while (i < past) {
        const bool whole_block = i % kBlock == 0 && i + kBlock <= past && i / kBlock < blocks_.size();
        greatest = std::max(greatest, whole_block ? blocks_[i / kBlock] : points[i].live_bytes);
        i += whole_block ? kBlock : 1;
    }
    return greatest;
}

}  // namespace bscope
