// Standing of a sweep: which value is best, which ones are no different from it, and whether that can still
// change. One rule for the engine, the command line and the window; docs/NUMBERS.md, "Difference or noise".
// Pure functions.
#pragma once

#include <span>
#include <vector>

#include "report/noise_verdict.h"
#include "report/report.h"

namespace bscope {

struct SweepRanking {
    int best = 0;             // value; 0: nothing was measured. Of equals the one that holds least
    std::vector<int> equals;  // values that are no different from the fastest, without `best`
    NoiseVerdict closest;     // throughput of the best beside the fastest of the other values
    bool open = false;        // iterations are missing of a value that can run
    int complete = 0, legal = 0;  // values

    // One value is best, and all have run.
    bool isSettled() const { return best > 0 && !open && equals.empty(); }
};

// Of the values whose iterations are complete; of all measured ones while none is.
SweepRanking standingOf(std::span<const SweepPoint> points);
Sampled rateOf(const SweepPoint& point);         // tokens/s; it has a median
std::int64_t peakBytes(const SweepPoint& point);  // activations of the fullest rank
// As it is printed: a difference that the printed numbers do not show is none.
bool holdsLess(const SweepPoint& a, const SweepPoint& b);

}  // namespace bscope
