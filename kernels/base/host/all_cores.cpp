#include "host/all_cores.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "host/cores.h"

namespace bscope {

void onAllCores(std::size_t parts, const std::function<void(std::size_t part)>& work) {
    std::atomic<std::size_t> next = 0;
    const auto take_parts = [&] {
        for (std::size_t part; (part = next.fetch_add(1, std::memory_order_relaxed)) < parts;) work(part);
    };
    const std::size_t cores = ownCpus().size();
    std::vector<std::jthread> others;
    others.reserve(cores);
    try {
        while (others.size() + 1 < std::min(cores, parts)) others.emplace_back(take_parts);
    } catch (const std::system_error&) {  // this thread and those before it do the work
    }
    take_parts();
}

}  // namespace bscope
