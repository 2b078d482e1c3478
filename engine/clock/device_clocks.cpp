#include "clock/device_clocks.h"

#include <algorithm>
#include <cmath>

namespace bscope {

DeviceClocks::DeviceClocks(std::vector<double> slow_factors, const Calibration* calibration)
    : calibration_(calibration) {
    for (const double factor : slow_factors) clocks_.push_back({factor, 0});
}

void DeviceClocks::begin(std::int64_t start_ns) {
    for (DeviceClock& clock : clocks_) clock.time_ns = start_ns;
}

void DeviceClocks::waitUntil(int rank, std::int64_t time_ns) {
    DeviceClock& clock = clocks_[static_cast<std::size_t>(rank)];
    clock.time_ns = std::max(clock.time_ns, time_ns);
}

void DeviceClocks::place(int rank, int stage, Op op, std::int64_t timed_ns, OpTime& time) {
    DeviceClock& clock = clocks_[static_cast<std::size_t>(rank)];
    constexpr double kLongest_ns = 1e15;  // sums over many operations stay in their type
    const double slowed_ns = std::min(static_cast<double>(timed_ns) * clock.slow_factor, kLongest_ns);
    const bool calibrated = calibration_ != nullptr && isCompute(op);
    const double placed_ns = calibrated ? calibration_->median_ns(stage, op).value_or(slowed_ns) : slowed_ns;
    time.duration_ns = std::llround(slowed_ns);
    time.start_ns = clock.time_ns;
    time.end_ns = clock.time_ns + std::llround(placed_ns);
    clock.time_ns = time.end_ns;
}

}  // namespace bscope
