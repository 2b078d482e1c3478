#include "host/all_cores.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace bscope {

namespace {

// Of the affinity mask, which std::thread::hardware_concurrency() does not heed.
std::size_t ownCores() {
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof(own), &own) != 0) return 1;
    return static_cast<std::size_t>(CPU_COUNT(&own));
}

}  // namespace

void onAllCores(std::size_t parts, const std::function<void(std::size_t part)>& work) {
    std::atomic<std::size_t> next = 0;
    const auto take_parts = [&] {
        for (std::size_t part; (part = next.fetch_add(1, std::memory_order_relaxed)) < parts;) work(part);
    };
    const std::size_t cores = ownCores();
    std::vector<std::jthread> others;
    others.reserve(cores);
    try {
        while (others.size() + 1 < std::min(cores, parts)) others.emplace_back(take_parts);
    } catch (const std::system_error&) {  // this thread and those before it do the work
    }
    take_parts();
}

}  // namespace bscope
