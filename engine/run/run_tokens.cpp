#include "run/run_tokens.h"

#include <algorithm>

#include "run/cores.h"

namespace bscope {

int RunTokens::acquire(std::int64_t device_time_ns, int rank, int last_core) {
    int core = -1;
    {
        std::unique_lock<std::mutex> lock(mutex_);
        const auto place = queue_.emplace(device_time_ns, rank).first;
        changed_.wait(lock, [&] { return !free_.empty() && place == queue_.begin(); });
        queue_.erase(place);
        auto chosen = std::find(free_.begin(), free_.end(), last_core);
        if (chosen == free_.end()) chosen = free_.begin();
        core = *chosen;
        free_.erase(chosen);
    }
    changed_.notify_all();
    if (core != last_core) pinThisThread(core);
    return core;
}

void RunTokens::release(int core) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        free_.push_back(core);
    }
    changed_.notify_all();
}

}  // namespace bscope
