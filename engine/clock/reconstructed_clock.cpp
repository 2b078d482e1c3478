#include "clock/reconstructed_clock.h"

#include "clock/thread_time.h"

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
    : clocks_(slow_factors, calibration), last_core_(slow_factors.size(), -1), tokens_(std::move(cores)) {}

void ReconstructedClock::beginIteration(std::int64_t start_ns) {
    clocks_.begin(start_ns);
}

void ReconstructedClock::waitUntil(int rank, std::int64_t time_ns) {
    clocks_.waitUntil(rank, time_ns);
}

OpTime ReconstructedClock::run(int rank, const Action& action, const std::function<void()>& work) {
    OpTime time;
    {
        lastCore(rank) = tokens_.acquire(clocks_.now_ns(rank), rank, lastCore(rank));
        const HeldToken held(tokens_, lastCore(rank));
        time.work_start_ns = monotonic_ns();
        const std::int64_t cpu_start_ns = threadCpu_ns();
        work();
        time.cpu_ns = threadCpu_ns() - cpu_start_ns;
        time.work_end_ns = monotonic_ns();
    }
    time.wall_ns = time.work_end_ns - time.work_start_ns;
    clocks_.place(rank, action.stage, action.op, time.cpu_ns, time);
    return time;
}

void ReconstructedClock::runUntimed(int rank, const std::function<void()>& work) {
    lastCore(rank) = tokens_.acquire(clocks_.now_ns(rank), rank, lastCore(rank));
    const HeldToken held(tokens_, lastCore(rank));
    work();
}

// Says where in the work a moment lies, many times an operation: the thread's own clock would ask the system
// each time.
std::int64_t ReconstructedClock::workTime_ns() const {
    return monotonic_ns();
}

}  // namespace bscope
