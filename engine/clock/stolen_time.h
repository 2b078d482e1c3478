// StolenTime: how long a rank was delayed by something outside the run. Between waits the thread has work,
// and wall time beyond its CPU time went to other programs; in a wait it has none, and what counts is how
// long it stood ready in the queue of its core, woken or still looking for what it waits for. Waking takes a
// few microseconds on a quiet machine, too: a delay up to kUsualWake_ns counts as that. In the rank's own
// thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace bscope {

// Clocks of the calling thread; queued_ns: ready, without a core, so far (0 where the system does not report
// it).
struct ThreadTimes {
    std::int64_t wall_ns = 0, cpu_ns = 0, queued_ns = 0;
};

class StolenTime {
public:
    using Read = std::function<ThreadTimes()>;
    static constexpr std::int64_t kUsualWake_ns = 20'000;

    // What readThreadTimes() of the thread says when no other reader is given.
    explicit StolenTime(Read read = nullptr);

    void begin();
    template <class Wait>
    auto waiting(Wait wait) {
        settleWork();
        if constexpr (std::is_void_v<decltype(wait())>) {
            wait();
            settleWait();
        } else {
            auto result = wait();
            settleWait();
            return result;
        }
    }
    // Since begin(); the next stretch begins.
    std::int64_t take();

private:
    void settleWork();
    void settleWait();

    Read read_;
    ThreadTimes last_;
    std::int64_t held_ns_ = 0;
};

}  // namespace bscope
