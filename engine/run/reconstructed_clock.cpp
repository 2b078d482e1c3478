#include "run/reconstructed_clock.h"

#include <algorithm>
#include <cmath>

#include "run/thread_time.h"

namespace bscope {

namespace {

// Gives the token back however the work ends.
class HeldToken {
public:
    HeldToken(RunTokens& tokens, int core) : tokens_(tokens), core_(core) {}
    ~HeldToken() { tokens_.release(core_); }
    HeldToken(const HeldToken&) = delete;
    HeldToken& operator=(const HeldToken&) = delete;

private:
    RunTokens& tokens_;
    int core_;
};

}  // namespace

ReconstructedClock::ReconstructedClock(std::vector<double> slow_factors, std::vector<int> cores,
                                       const Calibration* calibration)
    : tokens_(std::move(cores)), calibration_(calibration) {
    for (const double factor : slow_factors) clocks_.push_back({factor, -1, 0});
}

void ReconstructedClock::beginIteration(std::int64_t start_ns) {
    for (DeviceClock& clock : clocks_) clock.time_ns = start_ns;
}

void ReconstructedClock::waitUntil(int rank, std::int64_t time_ns) {
    at(rank).time_ns = std::max(at(rank).time_ns, time_ns);
}

OpTime ReconstructedClock::run(int rank, int stage, Op op, const std::function<void()>& work) {
    DeviceClock& clock = at(rank);
    OpTime time;
    {
        clock.last_core = tokens_.acquire(clock.time_ns, rank, clock.last_core);
        const HeldToken held(tokens_, clock.last_core);
        const std::int64_t wall_start_ns = monotonic_ns();
        time.work_start_ns = threadCpu_ns();
        work();
        time.work_end_ns = threadCpu_ns();
        time.wall_ns = monotonic_ns() - wall_start_ns;
    }
    time.cpu_ns = time.work_end_ns - time.work_start_ns;
    const double timed_ns = static_cast<double>(time.cpu_ns) * clock.slow_factor;
    const bool calibrated = calibration_ != nullptr && isCompute(op);
    const double placed_ns = calibrated ? calibration_->median_ns(stage, op).value_or(timed_ns) : timed_ns;
    time.duration_ns = std::llround(timed_ns);
    time.start_ns = clock.time_ns;
    time.end_ns = clock.time_ns + std::llround(placed_ns);
    clock.time_ns = time.end_ns;
    return time;
}

void ReconstructedClock::runUntimed(int rank, const std::function<void()>& work) {
    DeviceClock& clock = at(rank);
    clock.last_core = tokens_.acquire(clock.time_ns, rank, clock.last_core);
    const HeldToken held(tokens_, clock.last_core);
    work();
}

std::int64_t ReconstructedClock::workTime_ns() const {
    return threadCpu_ns();
}

}  // namespace bscope
