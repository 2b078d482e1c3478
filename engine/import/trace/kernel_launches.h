// KernelLaunches: which launch a kernel is of. Both have the same correlation; where a number comes again, as
// after it ran over or where files were joined, a kernel is of the last launch before it. Refers to the trace;
// any thread.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "import/trace/raw_trace.h"

namespace bscope {

class KernelLaunches {
public:
    explicit KernelLaunches(const RawTrace& trace) {
        for (const Launch& launch : trace.launches) by_correlation_[launch.correlation].push_back(&launch);
        for (auto& [correlation, of] : by_correlation_)
            std::ranges::stable_sort(of, {}, [](const Launch* launch) { return launch->time_ns; });
    }

    // nullptr: the file holds none.
    const Launch* of(const KernelRange& kernel) const {
        const auto found = by_correlation_.find(kernel.correlation);
        if (found == by_correlation_.end()) return nullptr;
        const auto& of = found->second;
        const auto after = std::ranges::upper_bound(of, kernel.start_ns, {},
                                                    [](const Launch* launch) { return launch->time_ns; });
        return after == of.begin() ? of.front() : *std::prev(after);
    }

private:
    std::unordered_map<std::int64_t, std::vector<const Launch*>> by_correlation_;
};

}  // namespace bscope
