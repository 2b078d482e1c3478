// Gallop: partition points along a row, one after the other, pixel by pixel. Each search starts where the
// last one's distance leads and costs the logarithm of how far that guess is off, not of the row's length.
#pragma once

#include <algorithm>
#include <cstddef>

namespace bscope {

class Gallop {
public:
    // First index >= from whose element is not `before`; the row is partitioned by it
    // from there on.
    template <typename Row, typename Before>
    std::size_t next(const Row& row, std::size_t from, const Before& before) {
        const auto isBefore = [&](std::size_t i) { return i < row.size() && before(row[i]); };
        if (stride_ <= kFew) {
            const std::size_t until = std::min(from + 2 * kFew, row.size());
            std::size_t i = from;
            while (i < until && before(row[i])) ++i;
            stride_ = i - from;
            if (i < until || i == row.size()) return i;
        }
        std::size_t low = from, high = std::min(from + stride_, row.size());  // searched in [low, high]
        std::size_t step = 1;
        if (isBefore(high)) {
            do {
                low = high + 1;
                high = std::min(low + step, row.size());
                step *= 2;
            } while (isBefore(high));
        } else {
            while (high > from) {
                const std::size_t probe = high - std::min(step, high - from);
                if (isBefore(probe)) {
                    low = probe + 1;
                    break;
                }
                high = probe;
                step *= 2;
            }
        }
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (before(row[middle]))
                low = middle + 1;
            else
                high = middle;
        }
        const std::size_t found = low;
        stride_ = found - from;
        if constexpr (requires { row.prefetch(found); })
            row.prefetch(found + stride_);  // the next guess
        else if (found + stride_ < row.size())
            __builtin_prefetch(&row[found + stride_]);
        return found;
    }

private:
    // Steps up to here are counted out one by one: a guess is often off by one, and then costs more.
    static constexpr std::size_t kFew = 16;
    std::size_t stride_ = 1;
};

}  // namespace bscope
