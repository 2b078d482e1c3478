// ReconstructedClock: every operation really runs, alone on a core (run tokens), and takes the thread CPU
// time it used; it is placed on the device clock of its rank. So fewer cores than ranks still show p devices.
// A slow rank's durations are multiplied. With a calibration, an operation lasts the median of its stage and
// kind.
#pragma once

#include <atomic>

#include "run/clock.h"
#include "run/run_tokens.h"

namespace bscope {

class ReconstructedClock final : public Clock {
public:
    // calibration may be null: raw durations.
    ReconstructedClock(std::vector<double> slow_factors, std::vector<int> cores,
                       const Calibration* calibration);

    Provenance provenance() const override { return Provenance::Reconstructed; }
    void prepareThread(int /*rank*/) override {}
    void beginIteration(std::int64_t start_ns) override;
    std::int64_t now_ns(int rank) const override { return at(rank).time_ns; }
    void waitUntil(int rank, std::int64_t time_ns) override;
    OpTime run(int rank, int stage, Op op, const std::function<void()>& work) override;
    void runUntimed(int rank, const std::function<void()>& work) override;
    std::int64_t workTime_ns() const override;

private:
    struct DeviceClock {
        double slow_factor = 1.0;
        int last_core = -1;
        std::int64_t time_ns = 0;
    };
    DeviceClock& at(int rank) { return clocks_[static_cast<std::size_t>(rank)]; }
    const DeviceClock& at(int rank) const { return clocks_[static_cast<std::size_t>(rank)]; }

    std::vector<DeviceClock> clocks_;  // each is its rank's thread's alone while an iteration runs
    RunTokens tokens_;
    const Calibration* calibration_;
};

}  // namespace bscope
