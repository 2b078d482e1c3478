#include "clock/run_tokens.h"

#include <algorithm>

#include "clock/cores.h"

namespace bscope {

int RunTokens::acquire(std::int64_t device_time_ns, int rank, int last_core) {
    int core = -1;
    {
        std::unique_lock<std::mutex> lock(mutex_);
        std::condition_variable turn;
        const auto place = queue_.emplace(std::pair(device_time_ns, rank), &turn).first;
        turn.wait(lock, [&] { return !free_.empty() && place == queue_.begin(); });
        queue_.erase(place);
        auto chosen = std::find(free_.begin(), free_.end(), last_core);
        if (chosen == free_.end()) chosen = free_.begin();
        core = *chosen;
        free_.erase(chosen);
        callFirst();
    }
    if (core != last_core) pinThisThread(core);
    return core;
}

void RunTokens::release(int core) {
    const std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(core);
    callFirst();
}

void RunTokens::callFirst() {
    if (!free_.empty() && !queue_.empty()) queue_.begin()->second->notify_one();
}

}  // namespace bscope
