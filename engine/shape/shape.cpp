#include "shape/shape.h"

#include <stdexcept>
#include <string>

namespace bscope {

std::vector<StageRange> stageRanges(const ModelShape& shape, std::span<const int> blocks_per_stage) {
    std::vector<StageRange> ranges;
    std::size_t next = 0;
    for (const int blocks : blocks_per_stage) {
        if (blocks < 0)
            throw std::invalid_argument("a stage cannot have " + std::to_string(blocks) + " blocks");
        ranges.push_back({.first_block = next, .blocks = static_cast<std::size_t>(blocks)});
        next += static_cast<std::size_t>(blocks);
    }
    if (ranges.empty() || next != shape.L)
        throw std::invalid_argument("the stages have " + std::to_string(next) +
                                    " blocks together, the model has " + std::to_string(shape.L));
    ranges.front().embedding = true;
    ranges.back().head = true;
    return ranges;
}

double multiplicationsPerToken(const ModelShape& shape, const StageRange& range) {
    const auto C = static_cast<double>(shape.C), T = static_cast<double>(shape.T);
    return (static_cast<double>(range.blocks) * (12 * C * C + 2 * T * C) +
            (range.head ? C * static_cast<double>(shape.V) : 0)) /
           static_cast<double>(shape.t);
}

}  // namespace bscope
