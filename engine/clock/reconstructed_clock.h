// ReconstructedClock: every operation really runs, alone on a core (run tokens), and takes the thread CPU
// time it used; it is placed on the device clock of its rank. So fewer cores than ranks still show p devices.
// A rank keeps its core between operations while it is little ahead of the others, until it gives way. A slow
// rank's durations are multiplied. With a calibration, an operation lasts the median of its stage and kind.
#pragma once

#include "clock/device_clocks.h"
#include "clock/run_tokens.h"

namespace bscope {

class ReconstructedClock final : public Clock {
public:
    // calibration may be null: raw durations.
    ReconstructedClock(std::vector<double> slow_factors, std::vector<int> cores,
                       const Calibration* calibration);

    Provenance provenance() const override { return Provenance::Reconstructed; }
    void prepareThread(int /*rank*/) override {}
    void beginIteration(std::int64_t start_ns) override;
    std::int64_t now_ns(int rank) const override { return clocks_.now_ns(rank); }
    void waitUntil(int rank, std::int64_t time_ns) override;
    OpTime run(int rank, const WorkId& id, const std::function<void()>& work) override;
    void interrupt(int rank, const std::function<void()>& between) override;
    void runUntimed(int rank, const std::function<void()>& work) override;
    void giveWay(int rank) override;
    std::int64_t workTime_ns() const override;

private:
    struct Place {
        int core = -1;  // the last one
        bool is_held = false;
        // Of the work at hand: its part since it began, or since it was last interrupted.
        std::int64_t part_monotonic_ns = 0, part_cpu_ns = 0;
        // The parts before, and where the first began.
        int interruptions = 0;
        std::int64_t start_ns = 0, wall_ns = 0, cpu_ns = 0;
    };
    Place& place(int rank) { return places_[static_cast<std::size_t>(rank)]; }
    void takePlace(int rank);
    void beginPart(int rank);
    void endPart(int rank);

    DeviceClocks clocks_;
    std::vector<Place> places_;  // by rank
    RunTokens tokens_;
};

}  // namespace bscope
