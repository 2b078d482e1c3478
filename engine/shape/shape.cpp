#include "shape/shape.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace bscope {

FloatSlice FloatSlice::within(std::size_t first, std::size_t floats) const {
    const auto counted = [&](std::size_t place) { return std::clamp(place, first, first + floats) - first; };
    return {counted(begin), counted(end)};
}

FloatSlice sliceOf(std::size_t floats, int parts, int part, std::size_t grain) {
    const auto count = static_cast<std::size_t>(parts), place = static_cast<std::size_t>(part);
    const std::size_t each = (floats + count * grain - 1) / (count * grain) * grain;
    return {std::min(floats, place * each), std::min(floats, (place + 1) * each)};
}

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
