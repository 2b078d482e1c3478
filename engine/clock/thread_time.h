// The two clocks of this machine that times come from. Any thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace bscope {

inline std::int64_t readClock_ns(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}
inline std::int64_t monotonic_ns() {
    return readClock_ns(CLOCK_MONOTONIC);
}
// What the calling thread has used of a core.
inline std::int64_t threadCpu_ns() {
    return readClock_ns(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace bscope
