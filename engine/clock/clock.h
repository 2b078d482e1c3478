// Clock: how a span of work gets its times. MeasuredClock reads one monotonic clock while all ranks run at
// the same time; ReconstructedClock times every operation alone and places it on p device clocks; GpuClock
// only hands the work over, and times are known when the iteration is over. Times are nanoseconds on the
// run's device clocks. Each rank's thread calls with its own rank; different ranks at the same time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "clock/calibration.h"
#include "clock/thread_time.h"
#include "config/run_config.h"
#include "schedule/work_id.h"
#include "timeline/event.h"
#include "report/report.h"

namespace bscope {

// One operation: where it stands on its rank's device clock, and what this machine needed for it.
struct OpTime {
    std::int64_t start_ns = 0, end_ns = 0;            // device clock
    std::int64_t work_start_ns = 0, work_end_ns = 0;  // workTime_ns() around the work
    // As timed, before calibration; of work that was interrupted from its start to its end.
    std::int64_t duration_ns = 0;
    std::int64_t wall_ns = 0, cpu_ns = 0;  // of the work alone, without its interruptions
    bool cut = false;        // a slow rank's time was broken off
    bool disturbed() const;  // cut, or wall / CPU above kDisturbed
    // Device time of a moment within the work, inside [start_ns, end_ns].
    std::int64_t place_ns(std::int64_t work_time_ns) const;
};

// A clock of this machine; or another machine's, as known here. Any thread.
using HostTime = std::function<std::int64_t()>;

class Clock {
public:
    virtual ~Clock() = default;
    virtual Provenance provenance() const = 0;
    // Once in each rank's thread, before anything else.
    virtual void prepareThread(int rank) = 0;
    // All device clocks stand at start_ns; no rank is at work.
    virtual void beginIteration(std::int64_t start_ns) = 0;
    virtual std::int64_t now_ns(int rank) const = 0;
    // Asked now and then while a rank really waits: true when it should not wait any longer. Before the rank
    // begins, in its thread.
    using Ends = std::function<bool()>;
    virtual void endWaits(int /*rank*/, Ends /*when*/) {}
    // The rank has nothing to do until that time; measured: really waits, unless waits are to end.
    virtual void waitUntil(int rank, std::int64_t time_ns) = 0;
    // The rank is going to wait for another one, or is done: the core that it may have kept since its last
    // work is free for others. To be called before every such wait. In its thread.
    virtual void giveWay(int /*rank*/) {}
    // The rank will sleep until what it waits for is here. Waking a thread and its core takes time (wake-up
    // latency); so a measured rank, which has a core of its own, polls for a while first.
    virtual void lookBeforeSleep(const std::function<bool()>& /*is_here*/) const {}
    // Does the work and gives it its place on the rank's device clock.
    virtual OpTime run(int rank, const WorkId& id, const std::function<void()>& work) = 0;
    // Within the work of run(), in its thread: what between() does, waiting for other ranks and their
    // messages, is none of the work. Before it the rank's clock stands where the work has come to, and the
    // work goes on where between() leaves the clock. A clock that knows no times while work is done has
    // nothing to do about it.
    virtual void interrupt(int /*rank*/, const std::function<void()>& between) { between(); }
    // Runs work that is no part of the pipeline (warm-up) where run() would run it; no clock moves.
    virtual void runUntimed(int rank, const std::function<void()>& work) = 0;
    // The clock of what happens within the work of the calling thread.
    virtual std::int64_t workTime_ns() const = 0;
    // Whether what keeps a rank's thread from its core between operations is in these times, too.
    virtual bool timesTheThread() const { return false; }
};

// MEASURED when there is a core for every rank and durations are not calibrated, unless the config demands a
// clock.
Provenance chooseProvenance(const RunConfig& config, int cores);
// What is wrong with the demanded clock on this many cores; empty when it can be had.
std::vector<Problem> clockProblems(const RunConfig& config, int cores);

// (p,) by which each rank is slowed down, 1 for none.
std::vector<double> slowFactors(const RunConfig& config);

// Of a CPU. The calibration must outlive the clock. host: what a measured clock reads.
std::unique_ptr<Clock> makeClock(Provenance provenance, const RunConfig& config,
                                 const std::vector<int>& cores, const Calibration& calibration,
                                 HostTime host = monotonic_ns);

}  // namespace bscope
