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

double DeviceClocks::slowed_ns(const DeviceClock& clock, std::int64_t timed_ns) {
    constexpr double kLongest_ns = 1e15;  // sums over many operations stay in their type
    return std::min(static_cast<double>(timed_ns) * clock.slow_factor, kLongest_ns);
}

void DeviceClocks::place(int rank, int stage, Op op, std::int64_t timed_ns, OpTime& time) {
    DeviceClock& clock = clocks_[static_cast<std::size_t>(rank)];
    const double slowed = slowed_ns(clock, timed_ns);
    const bool calibrated = calibration_ != nullptr && isCompute(op);
    const double placed_ns = calibrated ? calibration_->median_ns(stage, op).value_or(slowed) : slowed;
    time.duration_ns = std::llround(slowed);
    time.start_ns = clock.time_ns;
    time.end_ns = clock.time_ns + std::llround(placed_ns);
    clock.time_ns = time.end_ns;
}

void DeviceClocks::advance(int rank, std::int64_t timed_ns) {
    DeviceClock& clock = clocks_[static_cast<std::size_t>(rank)];
    clock.time_ns += std::llround(slowed_ns(clock, timed_ns));
}

}  // namespace bscope
