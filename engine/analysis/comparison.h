// Comparison: what two iterations are compared by, and the differences: length, bubble by cause, busy and
// idle time of every rank, memory. Of two runs or of one. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/causes.h"

namespace bscope {

struct RankTotals {
    std::int64_t busy_ns = 0, idle_ns = 0, peak_bytes = 0;
    bool operator==(const RankTotals&) const = default;
};

// Of one iteration; or the difference of two, B minus A.
struct IterationTotals {
    std::int64_t iteration_ns = 0, idle_ns = 0;
    double bubble_of_total = 0;
    CauseParts causes{};
    std::int64_t peak_bytes = 0;  // activations of the fullest rank; 0: nothing is known of memory
    std::vector<RankTotals> ranks;
};

IterationTotals totalsOf(const BubbleCauses& causes);
// Of ranks those that both have.
IterationTotals difference(const IterationTotals& a, const IterationTotals& b);

}  // namespace bscope
