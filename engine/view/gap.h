// Gaps as things to select: which of an iteration's idle periods a selection means, and their order by size.
#pragma once

#include <optional>
#include <vector>

#include "view/prepared_view.h"

namespace bscope {

GapSelection gapSelection(const PreparedView& view, int rank, const IdlePeriod& period);
// Of all ranks.
std::int64_t idleTime_ns(const PreparedView& view);
// nullopt when this view does not hold it.
std::optional<IdlePeriod> gapOf(const PreparedView& view, const GapSelection& gap);
// All of the iteration, the longest first; of equal ones the earlier, then the lower rank.
std::vector<GapSelection> gapsBySize(const PreparedView& view);
// From one gap to the next smaller one (direction +1) or back (-1); the largest when `from` is none of this
// view's. nullopt at either end, and when there is none.
std::optional<GapSelection> gapBySize(const PreparedView& view, const std::optional<GapSelection>& from,
                                      int direction);

}  // namespace bscope
