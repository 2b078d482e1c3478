#include "timeline/kernel_log.h"

#include <algorithm>
#include <tuple>

namespace bscope {

namespace {

template <class T>
auto box(const T& item) {
    return std::tuple(item.stage, item.op, item.microbatch, item.segment);
}

bool isBefore(const KernelEvent& a, const KernelEvent& b) {
    return std::tuple_cat(box(a), std::tuple(a.start_ns)) < std::tuple_cat(box(b), std::tuple(b.start_ns));
}

}  // namespace

void KernelLog::append(const KernelPart& part) {
    Rank& rank = ranks_[part.rank];
    rank.parts.take(part);
    std::vector<KernelEvent>& kernels = rank.kernels;
    const auto middle = kernels.insert(kernels.end(), part.kernels.begin(), part.kernels.end());
    std::sort(middle, kernels.end(), isBefore);
    std::inplace_merge(kernels.begin(), middle, kernels.end(), isBefore);
    size_ += part.kernels.size();
}

bool KernelLog::knows(const KernelPart& part) const {
    const auto rank = ranks_.find(part.rank);
    return rank != ranks_.end() && !part.kernels.empty() &&
           std::ranges::binary_search(rank->second.kernels, part.kernels.front(), isBefore);
}

std::span<const KernelEvent> KernelLog::of(const Event& event) const {
    const auto rank = ranks_.find(event.rank);
    if (rank == ranks_.end()) return {};
    const std::vector<KernelEvent>& kernels = rank->second.kernels;
    auto first = std::partition_point(kernels.begin(), kernels.end(),
                                      [&](const KernelEvent& kernel) { return box(kernel) < box(event); });
    auto past = std::partition_point(first, kernels.end(),
                                     [&](const KernelEvent& kernel) { return box(kernel) == box(event); });
    // An asynchronous schedule has several optimizer steps an iteration: only time distinguishes them.
    while (first != past && first->end_ns < event.start_ns) ++first;
    while (first != past && (past - 1)->start_ns > event.end_ns) --past;
    return {first, past};
}

bool KernelLog::isWhole(int rank) const {
    const auto found = ranks_.find(rank);
    return found != ranks_.end() && found->second.parts.areWhole();
}

std::int64_t launchGap_ns(const Event& event, std::span<const KernelEvent> by_start) {
    std::int64_t covered_ns = 0, until_ns = event.start_ns;
    for (const KernelEvent& kernel : by_start) {
        const std::int64_t from_ns = std::max(kernel.start_ns, until_ns);
        const std::int64_t to_ns = std::min(kernel.end_ns, event.end_ns);
        if (to_ns <= from_ns) continue;
        covered_ns += to_ns - from_ns;
        until_ns = to_ns;
    }
    return event.duration_ns() - covered_ns;
}

}  // namespace bscope
