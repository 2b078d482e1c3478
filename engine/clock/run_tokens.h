// RunTokens: as many as there are physical cores. A thread that computes holds one and is bound to its core,
// so that thread CPU time is what the operation would take on a core of its own. Waiting threads are served
// by least device time, but for the core that a thread had last: the slowest clock goes first, and what is
// drawn live grows evenly. To wake a thread takes as long as a small operation: a thread that is only a
// little ahead of the waiting ones may keep its token. Any thread; a thread holds at most one token.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace bscope {

class RunTokens {
public:
    static constexpr std::int64_t kLittle_ns = 200'000;  // of device time

    explicit RunTokens(std::vector<int> cores) : free_(std::move(cores)) {}

    // Blocks until a core is free, binds the calling thread to it and returns it. `last_core` is taken again
    // when it is free (-1: none): its cache still holds the data of the thread.
    int acquire(std::int64_t device_time_ns, int rank, int last_core);
    void release(int core);
    // Whether who holds a token and stands at that time may go on with it.
    bool mayKeep(std::int64_t device_time_ns);

private:
    // What the thread of a rank sleeps on until it is given a core. The thread that gives it holds no lock
    // that this one needs when it wakes.
    struct Sleeper {
        std::mutex mutex;
        std::condition_variable called;
        int core = -1;
        int last_core = -1;
        bool was_passed = false;
        int sleep();
        void wake(int its_core);
    };
    using Queue = std::map<std::pair<std::int64_t, int>, Sleeper*>;  // by device time and rank
    static constexpr int kLooked = 4;

    int take(std::int64_t device_time_ns, int rank, int last_core);
    Queue::iterator nextOn(int core);

    std::mutex mutex_;
    std::vector<int> free_;            // none while anybody waits
    std::map<int, Sleeper> sleepers_;  // by rank
    Queue queue_;
};

}  // namespace bscope
