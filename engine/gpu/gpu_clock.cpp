#include "gpu/gpu_clock.h"

#include "clock/thread_time.h"

namespace bscope {

std::unique_lock<std::mutex> GpuClock::turn() {
    return watch_ == nullptr ? std::unique_lock<std::mutex>(turn_) : std::unique_lock<std::mutex>();
}

void GpuClock::beginIteration(std::int64_t start_ns) {
    times_ = {start_ns, start_ns - monotonic_ns()};
}

OpTime GpuClock::run(int rank, const WorkId& id, const std::function<void()>& work) {
    const auto mine = turn();
    OpTime handed_over;
    handed_over.work_start_ns = monotonic_ns();
    trace_.traceWork(rank, id, work);
    handed_over.work_end_ns = monotonic_ns();
    if (watch_ == nullptr) return handed_over;
    watch_->note(rank, id, trace_.computeStream(rank));
    watch_->waitWhileFarAhead(rank);
    return handed_over;
}

void GpuClock::runUntimed(int /*rank*/, const std::function<void()>& work) {
    const auto mine = turn();
    work();
}

std::int64_t GpuClock::workTime_ns() const {
    return monotonic_ns();
}

}  // namespace bscope
