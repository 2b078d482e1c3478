// MeasuredClock: all ranks run at the same time, each bound to a core of its own; times are the monotonic
// clock's. A slow rank spins for the additional time that the configuration gives it, and a receiver waits
// for a slow link; both stop when waits are aborted.
#pragma once

#include <atomic>

#include "clock/clock.h"

namespace bscope {

class MeasuredClock final : public Clock {
public:
    // One core a rank: cores.size() >= slow_factors.size().
    MeasuredClock(std::vector<double> slow_factors, std::vector<int> cores, HostTime host = monotonic_ns);

    Provenance provenance() const override { return Provenance::Measured; }
    void prepareThread(int rank) override;
    void beginIteration(std::int64_t start_ns) override;
    std::int64_t now_ns(int rank) const override;
    void endWaits(int rank, Ends when) override;
    void waitUntil(int rank, std::int64_t time_ns) override;
    void lookBeforeSleep(const std::function<bool()>& is_here) const override;
    OpTime run(int rank, const WorkId& id, const std::function<void()>& work) override;
    void interrupt(int rank, const std::function<void()>& between) override;
    void runUntimed(int rank, const std::function<void()>& work) override;
    std::int64_t workTime_ns() const override { return now_ns(0); }
    bool timesTheThread() const override { return true; }

private:
    // Of the work that a rank is at: its part since it began, or since it was last interrupted, and those
    // before.
    struct Work {
        std::int64_t part_start_ns = 0, part_cpu_ns = 0;
        std::int64_t wall_ns = 0, cpu_ns = 0;
        bool cut = false;
    };
    void beginPart(int rank);
    std::int64_t endPart(int rank);  // when it ended
    // False when the wait was to end before.
    bool spinUntil(int rank, std::int64_t time_ns) const;

    std::vector<double> slow_factors_;
    std::vector<Ends> ends_;  // (ranks,)
    std::vector<Work> at_work_;  // (ranks,)
    std::vector<int> cores_;
    HostTime host_;
    std::atomic<std::int64_t> offset_ns_{0};  // device time - host time
};

}  // namespace bscope
