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
    Place& its = place(rank);
    its.interruptions = 0;
    its.wall_ns = its.cpu_ns = 0;
    its.start_ns = clocks_.now_ns(rank);
    takePlace(rank);
    OpTime time;
    beginPart(rank);
    time.work_start_ns = its.part_monotonic_ns;
    work();
    const std::int64_t before_ns = its.cpu_ns;
    endPart(rank);
    time.work_end_ns = monotonic_ns();
    clocks_.place(rank, id.action.stage, id.action.op, its.cpu_ns - before_ns, time);
    if (its.interruptions > 0) {
        time.start_ns = its.start_ns;
        time.duration_ns = time.end_ns - time.start_ns;
    }
    time.cpu_ns = its.cpu_ns;
    time.wall_ns = its.wall_ns;
    return time;
}

void ReconstructedClock::beginPart(int rank) {
    place(rank).part_monotonic_ns = monotonic_ns();
    place(rank).part_cpu_ns = threadCpu_ns();
}

void ReconstructedClock::endPart(int rank) {
    Place& its = place(rank);
    its.cpu_ns += threadCpu_ns() - its.part_cpu_ns;
    its.wall_ns += monotonic_ns() - its.part_monotonic_ns;
}

void ReconstructedClock::interrupt(int rank, const std::function<void()>& between) {
    Place& its = place(rank);
    const std::int64_t before_ns = its.cpu_ns;
    endPart(rank);
    clocks_.advance(rank, its.cpu_ns - before_ns);
    ++its.interruptions;
    between();
    takePlace(rank);
    beginPart(rank);
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
