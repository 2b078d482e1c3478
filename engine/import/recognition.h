// recognise: which schedule of the catalog the ranks of a run follow, or the nearest one and where they
// differ.
#pragma once

#include <optional>
#include <string>

#include "schedule/schedule.h"
#include "report/report.h"

namespace bscope {

using FirstDifference = ImportOrigin::Difference;

struct Recognition {
    std::optional<std::string> schedule;  // name in the catalog
    int group_size = 0;                   // of an interleaved one; 0: the usual one
    // Where `schedule` is empty: the entry with the most operations in their place, and the least rank that
    // parts from it. Both empty when no entry allows these p, v and m.
    std::optional<std::string> nearest;
    std::optional<FirstDifference> first_difference;
};

// The orders of `ran` against every entry of the catalog that is legal for its p, v and m, interleaved ones
// with every group size.
Recognition recognise(const Schedule& ran);

}  // namespace bscope
