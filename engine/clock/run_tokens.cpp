#include "clock/run_tokens.h"

#include <algorithm>

#include "host/cores.h"

namespace bscope {

int RunTokens::acquire(std::int64_t device_time_ns, int rank, int last_core) {
    const int core = take(device_time_ns, rank, last_core);
    if (core != last_core) pinThisThread(core);
    return core;
}

int RunTokens::take(std::int64_t device_time_ns, int rank, int last_core) {
    Sleeper* self = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!free_.empty()) {
            auto chosen = std::find(free_.begin(), free_.end(), last_core);
            if (chosen == free_.end()) chosen = free_.begin();
            const int core = *chosen;
            free_.erase(chosen);
            return core;
        }
        self = &sleepers_[rank];
        self->last_core = last_core;
        self->was_passed = false;
        queue_.emplace(std::pair(device_time_ns, rank), self);
    }
    return self->sleep();
}

void RunTokens::release(int core) {
    Sleeper* chosen = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (queue_.empty()) {
            free_.push_back(core);
            return;
        }
        const auto next = nextOn(core);
        chosen = next->second;
        queue_.erase(next);
    }
    chosen->wake(core);
}

bool RunTokens::mayKeep(std::int64_t device_time_ns) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return queue_.empty() || device_time_ns <= queue_.begin()->first.first + kLittle_ns;
}

// The first one, or one of the next whose data this core's cache holds: to change cores costs as much as a
// small operation. No rank is passed over twice.
RunTokens::Queue::iterator RunTokens::nextOn(int core) {
    const auto first = queue_.begin();
    if (first->second->was_passed) return first;
    auto next = first;
    for (int looked = 0; looked < kLooked && next != queue_.end(); ++looked, ++next) {
        if (next->second->last_core != core) continue;
        first->second->was_passed = next != first;
        return next;
    }
    return first;
}

int RunTokens::Sleeper::sleep() {
    std::unique_lock<std::mutex> lock(mutex);
    called.wait(lock, [this] { return core >= 0; });
    return std::exchange(core, -1);
}

void RunTokens::Sleeper::wake(int its_core) {
    {
        const std::lock_guard<std::mutex> lock(mutex);
        core = its_core;
    }
    called.notify_one();
}

}  // namespace bscope
