// DeviceClocks: the clocks of the p reconstructed devices, and the rule that places an operation on them: it
// begins at the time of its rank's clock, and lasts as long as it was timed, times the rank's slow factor;
// with a calibration, the median of its stage and kind. Each rank's clock is one thread's alone while an
// iteration runs.
#pragma once

#include <cstdint>
#include <vector>

#include "clock/clock.h"

namespace bscope {

class DeviceClocks {
public:
    // Factors >= 1, one a rank; the calibration may be null (raw durations) and must outlive this.
    DeviceClocks(std::vector<double> slow_factors, const Calibration* calibration);

    void begin(std::int64_t start_ns);
    std::int64_t now_ns(int rank) const { return clocks_[static_cast<std::size_t>(rank)].time_ns; }
    void waitUntil(int rank, std::int64_t time_ns);
    // Fills in start, end and duration.
    void place(int rank, int stage, Op op, std::int64_t timed_ns, OpTime& time);
    // A part of an operation that is interrupted: it lasts as it was timed, times the slow factor.
    void advance(int rank, std::int64_t timed_ns);

private:
    struct DeviceClock {
        double slow_factor = 1.0;
        std::int64_t time_ns = 0;
    };
    static double slowed_ns(const DeviceClock& clock, std::int64_t timed_ns);

    std::vector<DeviceClock> clocks_;
    const Calibration* calibration_;
};

}  // namespace bscope
