#include "clock/measured_clock.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "clock/thread_time.h"
#include "host/cores.h"

namespace bscope {

namespace {

// Sleeping ends late by tens of microseconds: the last stretch is spun.
constexpr std::int64_t kSpin_ns = 200'000;
// Between two looks whether the wait is to end.
constexpr std::int64_t kLookEvery_ns = 20'000'000;
// Most waits of a pipeline under way are shorter. A look takes a lock that the sender needs. The core is not
// yielded in between: on a busy machine it would come back some milliseconds later.
constexpr std::int64_t kLookAtMost_ns = 2'000'000, kBetweenLooks_ns = 3'000;

}  // namespace

MeasuredClock::MeasuredClock(std::vector<double> slow_factors, std::vector<int> cores, HostTime host)
    : slow_factors_(std::move(slow_factors)),
      ends_(slow_factors_.size()),
      at_work_(slow_factors_.size()),
      cores_(std::move(cores)),
      host_(std::move(host)) {
    if (cores_.size() < slow_factors_.size())
        throw std::invalid_argument("fewer cores than ranks: nothing to measure");
}

void MeasuredClock::prepareThread(int rank) {
    pinThisThread(cores_[static_cast<std::size_t>(rank)]);
}

void MeasuredClock::beginIteration(std::int64_t start_ns) {
    offset_ns_ = start_ns - host_();
}

std::int64_t MeasuredClock::now_ns(int /*rank*/) const {
    return host_() + offset_ns_;
}

void MeasuredClock::endWaits(int rank, Ends when) {
    ends_[static_cast<std::size_t>(rank)] = std::move(when);
}

void MeasuredClock::waitUntil(int rank, std::int64_t time_ns) {
    const Ends& ends = ends_[static_cast<std::size_t>(rank)];
    for (;;) {
        const std::int64_t ahead_ns = time_ns - now_ns(rank);
        if (ahead_ns <= kSpin_ns) break;
        std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(ahead_ns - kSpin_ns, kLookEvery_ns)));
        if (ends && ends()) return;
    }
    while (now_ns(rank) < time_ns) {
    }
}

void MeasuredClock::lookBeforeSleep(const std::function<bool()>& is_here) const {
    const std::int64_t end = host_() + kLookAtMost_ns;
    while (!is_here()) {
        const std::int64_t next_look = host_() + kBetweenLooks_ns;
        if (next_look > end) return;
        while (host_() < next_look) {
        }
    }
}

bool MeasuredClock::spinUntil(int rank, std::int64_t time_ns) const {
    const Ends& ends = ends_[static_cast<std::size_t>(rank)];
    std::int64_t looked_ns = now_ns(rank);
    for (std::int64_t now = looked_ns; now < time_ns; now = now_ns(rank)) {
        if (now - looked_ns < kLookEvery_ns) continue;
        looked_ns = now;
        if (ends && ends()) return false;
    }
    return true;
}

OpTime MeasuredClock::run(int rank, const WorkId& /*id*/, const std::function<void()>& work) {
    Work& its = at_work_[static_cast<std::size_t>(rank)] = {};
    OpTime time;
    beginPart(rank);
    time.start_ns = its.part_start_ns;
    work();
    time.end_ns = endPart(rank);
    time.cut = its.cut;
    time.cpu_ns = its.cpu_ns;
    time.wall_ns = its.wall_ns;
    time.duration_ns = time.end_ns - time.start_ns;
    time.work_start_ns = time.start_ns;
    time.work_end_ns = time.end_ns;
    return time;
}

void MeasuredClock::beginPart(int rank) {
    Work& its = at_work_[static_cast<std::size_t>(rank)];
    its.part_cpu_ns = threadCpu_ns();
    its.part_start_ns = now_ns(rank);
}

// A slow rank's part lasts longer by its factor.
std::int64_t MeasuredClock::endPart(int rank) {
    Work& its = at_work_[static_cast<std::size_t>(rank)];
    const double factor = slow_factors_[static_cast<std::size_t>(rank)];
    if (factor > 1.0) {
        const std::int64_t fast_ns = now_ns(rank) - its.part_start_ns;
        const std::int64_t slow_end_ns =
            its.part_start_ns + static_cast<std::int64_t>(factor * static_cast<double>(fast_ns));
        its.cut = !spinUntil(rank, slow_end_ns) || its.cut;
    }
    const std::int64_t end_ns = now_ns(rank);
    its.wall_ns += end_ns - its.part_start_ns;
    its.cpu_ns += threadCpu_ns() - its.part_cpu_ns;
    return end_ns;
}

void MeasuredClock::interrupt(int rank, const std::function<void()>& between) {
    endPart(rank);
    between();
    beginPart(rank);
}

void MeasuredClock::runUntimed(int /*rank*/, const std::function<void()>& work) {
    work();
}

}  // namespace bscope
