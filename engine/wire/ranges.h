// Ranges of the numbers in a stream. Wide enough for every engine, narrow enough that sums and differences of
// two times or two sizes, and the successor of an iteration, are no overflow.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "schedule/schedule.h"
#include "wire/error.h"

namespace bscope {

inline constexpr std::int64_t kLastTime_ns = std::numeric_limits<std::int64_t>::max() / 8;  // 36 years
inline constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max() / 8;
inline constexpr std::int32_t kLastIteration = 1 << 30;
inline constexpr int kMostStages = kMaxRanks * kMaxChunks;

// The value, when least <= value <= most. Throws WireError.
template <class Number>
Number inRange(const char* what, Number value, Number least, Number most) {
    if (value >= least && value <= most) return value;
    throw WireError(sentence("the stream names {0} {1}, which cannot be", Argument(Sentence{what, {}}),
                             std::to_string(value)));
}

inline std::int32_t checkedIteration(std::int32_t iteration) {
    return inRange("iteration", iteration, 0, kLastIteration);
}
inline std::int64_t checkedTime(std::int64_t time_ns) {
    return inRange("time", time_ns, -kLastTime_ns, kLastTime_ns);
}
inline std::int64_t checkedBytes(std::int64_t bytes) {
    return inRange<std::int64_t>("size in bytes", bytes, 0, kMostBytes);
}
// A duration, size or rate that is known.
inline double checkedAmount(double amount) {
    return inRange("amount", amount, 0.0, 1e18);
}
// The same, or a share of a whole; NaN when it is not known.
inline double checkedAmountOrNaN(double amount) {
    return std::isnan(amount) ? amount : inRange("amount", amount, -1e18, 1e18);
}

}  // namespace bscope
