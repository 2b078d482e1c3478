// RunTokens: as many as there are physical cores. Who computes holds one, and is bound to its core meanwhile,
// so that thread CPU time is what the operation would take on a core of its own. Waiting threads are served
// by least device time: the slowest clock goes first, and what is drawn live grows evenly. Any thread; a
// thread holds at most one token.
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
    explicit RunTokens(std::vector<int> cores) : free_(std::move(cores)) {}

    // Blocks until a core is free, binds the calling thread to it and returns it. `last_core` is taken again
    // when it is free (-1: none): its cache still holds the data of the thread.
    int acquire(std::int64_t device_time_ns, int rank, int last_core);
    void release(int core);

private:
    void callFirst();

    std::mutex mutex_;
    std::vector<int> free_;
    // (device time, rank): what its thread sleeps on. Only the first one is ever woken.
    std::map<std::pair<std::int64_t, int>, std::condition_variable*> queue_;
};

}  // namespace bscope
