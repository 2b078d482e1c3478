// RangeReading: the numbers of the measured range of an iteration, with the greatest memory of each rank. A
// value.
#pragma once

#include <optional>
#include <vector>

#include "analysis/range_numbers.h"
#include "view/filter.h"
#include "view/prepared_view.h"
#include "view/selection.h"

namespace bscope {

struct RangeReading {
    RangeNumbers numbers;
    std::vector<std::optional<MemoryPoint>> peaks;  // (numbers.ranks,) nullopt: no memory is known
    bool has_causes = false;
    double from_ns = 0, to_ns = 0;  // relative
    std::optional<LaneSpan> lanes;  // nullopt: all
    bool is_filtered = false;       // numbers.passing is of a part
    bool operator==(const RangeReading&) const = default;

    const RangeNumbers::OfRank* ofRank(int rank) const;
};

// On these lanes, nullopt: on all. nullopt where a lesson hides the numbers.
std::optional<RangeReading> readRange(const PreparedView& view, const TimeRange& range,
                                      const std::optional<LaneSpan>& lanes, const Filter& filter);

}  // namespace bscope
