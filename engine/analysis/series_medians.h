// SeriesMedians: how long the operations of each stage took in the last iterations of one configuration. What is
// called a property of stages or ranks is there in the medians of several iterations; the rest of one iteration
// is noise (docs/NUMBERS.md, "Many iterations"). Immutable once made; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "timeline/timeline.h"

namespace bscope {

inline constexpr int kMedianOps = static_cast<int>(Op::Recompute) + 1;

// One iteration's.
struct IterationMedians {
    std::vector<std::array<double, kMedianOps>> of_stages;  // (stages, op) ns; 0: none
    // (stages,) enough durations were not disturbed, which are then the ones counted.
    std::vector<bool> calm;
};

using SeriesMedians = std::vector<IterationMedians>;  // by iteration
using SharedSeries = std::shared_ptr<const SeriesMedians>;

inline constexpr std::size_t kSeriesIterations = 8;    // at most
inline constexpr std::size_t kLeastInSeries = 5;       // below, no rank or stage is named
inline constexpr std::size_t kMostOfSeries = 20'000;   // operations of an iteration that is looked at

// heeds_disturbance: as RunFacts has it.
IterationMedians iterationMedians(const Timeline& timeline, std::int32_t iteration, bool heeds_disturbance);

// The newest kSeriesIterations of them. A run of another program with fewer than kLeastInSeries is judged by the
// iteration that is looked at alone: null.
SharedSeries seriesOf(SeriesMedians newest_first, bool imported);

// Operations that iterationMedians() would look at, of all ranks.
std::size_t operationsOf(const Timeline& timeline, std::int32_t iteration);

}  // namespace bscope
