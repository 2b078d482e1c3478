// IterationSeries: what many iterations of one configuration say together: the one in the middle, those that
// stand out, whether their lengths drift, and what is slow in most of them. Robust statistics; the rules
// stand in docs/NUMBERS.md, "Many iterations". Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/usual.h"

namespace bscope {

// The one whose length is nearest to the median of all; of equally near ones the earliest. lengths: one at
// least.
std::size_t nearestToMedian(std::span<const double> lengths);

// One iteration of a series, in the order in which they ran.
struct SeriesPoint {
    double length_ms = 0;
    bool disturbed = false;  // other programs took time, as its report says (Disturbance)
    bool is_first = false;   // of its configuration
    // How often heat lowered a clock meanwhile (throttlesOf()); nullopt: not recorded.
    std::optional<std::int64_t> throttles = std::nullopt;
};

// Why an iteration stands out, as far as what is recorded proves it. Neither heat nor other programs make
// one shorter. Both: Thermal.
enum class Oddity : std::uint8_t { None, Thermal, Disturbed, First, Unexplained };

// Where iterations of a series usually are, and which are not there.
struct SeriesFacts {
    double median_ms = 0, deviation_ms = 0;  // 1.4826 times the median absolute deviation
    std::size_t samples = 0;                 // behind the two
    std::vector<Oddity> oddities;            // (points,)
};
// Too few points to tell: no oddities.
SeriesFacts seriesFacts(std::span<const SeriesPoint> points);

// That lengths grow or shrink from iteration to iteration.
struct Drift {
    double share = 0;  // by which the last is longer than the first along the line, of the median
    double z = 0;      // of the test of Mann and Kendall
    std::size_t samples = 0;
    double slope_ms = 0, at_middle_ms = 0;  // the line: ms an iteration, and its value at the middle place
    double middle = 0;                      // place of that, from 0
    // In how many of them heat lowered a clock; nullopt: not recorded of all, and of none that it did.
    std::optional<std::size_t> throttled;
};
// Of undisturbed iterations but the first; nullopt: no drift that the test proves.
std::optional<Drift> driftOf(std::span<const SeriesPoint> points);

// What is slower, heavier or longer than its like in most of the iterations.
struct Straggler {
    enum class Kind : std::uint8_t { Rank, Stage, Microbatch, Link };
    Kind kind = Kind::Rank;
    int index = -1, to = -1;                 // as of an Outlier
    double factor = 1;                       // median of those iterations
    std::size_t found_in = 0, of = 0;        // iterations
    int twin = -1;                           // as of an Outlier
    std::optional<double> launch_gaps = {};  // as of an Outlier, median; nullopt: unknown in one of them
    double excess_ns = 0;                    // as of an Outlier, median
};
// iterations: what stands out in each (Usual::outliers). nullopt: in less than kLeastForStraggler, or nothing
// does in more than half.
inline constexpr std::size_t kLeastForStraggler = 5;
// How many are looked at, and how large each may be, wherever one is looked for.
inline constexpr std::size_t kMostForStraggler = 20, kMostOperationsForStraggler = 20'000;
std::optional<Straggler> stragglerOf(std::span<const Outliers> iterations);

}  // namespace bscope
