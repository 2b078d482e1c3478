#include "clock/reconstructed_clock.h"

#include <utility>

#include "clock/thread_time.h"

namespace bscope {

ReconstructedClock::ReconstructedClock(std::vector<double> slow_factors, std::vector<int> cores,
                                       const Calibration* calibration)
    : clocks_(slow_factors, calibration), places_(slow_factors.size()), tokens_(std::move(cores)) {}

void ReconstructedClock::beginIteration(std::int64_t start_ns) {
    clocks_.begin(start_ns);
}

void ReconstructedClock::waitUntil(int rank, std::int64_t time_ns) {
    clocks_.waitUntil(rank, time_ns);
}

OpTime ReconstructedClock::run(int rank, const WorkId& id, const std::function<void()>& work) {
    takePlace(rank);
    OpTime time;
    time.work_start_ns = monotonic_ns();
    const std::int64_t cpu_start_ns = threadCpu_ns();
    work();
    time.cpu_ns = threadCpu_ns() - cpu_start_ns;
    time.work_end_ns = monotonic_ns();
    time.wall_ns = time.work_end_ns - time.work_start_ns;
    clocks_.place(rank, id.action.stage, id.action.op, time.cpu_ns, time);
    return time;
}

void ReconstructedClock::runUntimed(int rank, const std::function<void()>& work) {
    takePlace(rank);
    work();
}

void ReconstructedClock::takePlace(int rank) {
    Place& its = place(rank);
    const std::int64_t now = clocks_.now_ns(rank);
    if (its.is_held && tokens_.mayKeep(now)) return;
    giveWay(rank);
    its.core = tokens_.acquire(now, rank, its.core);
    its.is_held = true;
}

void ReconstructedClock::giveWay(int rank) {
    if (std::exchange(place(rank).is_held, false)) tokens_.release(place(rank).core);
}

// Says where in the work a moment lies, many times an operation: the thread's own clock would ask the system
// each time.
std::int64_t ReconstructedClock::workTime_ns() const {
    return monotonic_ns();
}

}  // namespace bscope
