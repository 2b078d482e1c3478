// gallop: partition point near a known place, in the logarithm of the distance; for walks along a row pixel by pixel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace bscope::ui {

// First index >= from whose element is not `before`; the row is partitioned by it from there on.
template <typename T, typename Before>
std::size_t gallop(std::span<const T> row, std::size_t from, const Before& before) {
    std::size_t step = 1, low = from;
    while (low + step <= row.size() && before(row[low + step - 1])) {
        low += step;
        step *= 2;
    }
    const auto rest = row.subspan(low, std::min(step, row.size() - low));
    return low + static_cast<std::size_t>(std::ranges::partition_point(rest, before) - rest.begin());
}

}  // namespace bscope::ui
