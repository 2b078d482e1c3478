#include "trace/kernel_join.h"

#include <algorithm>

namespace bscope {

namespace {

constexpr std::size_t kKept = std::size_t{1} << 18;  // calls; their numbers rise

WorkSpan describe(std::uint64_t id, std::vector<KernelSpan> kernels) {
    std::sort(kernels.begin(), kernels.end(),
              [](const KernelSpan& a, const KernelSpan& b) { return a.start_ns < b.start_ns; });
    WorkSpan span{.traced = unpackTraceId(id), .start_ns = kernels.front().start_ns, .kernels = {}};
    span.end_ns = span.start_ns;
    for (const KernelSpan& kernel : kernels) {
        span.gap_ns += std::max<std::int64_t>(0, kernel.start_ns - span.end_ns);
        span.end_ns = std::max(span.end_ns, kernel.end_ns);
    }
    span.kernels = std::move(kernels);
    return span;
}

}  // namespace

void KernelJoin::add(const BscopeTraceRecord& record) {
    if (record.kind == BSCOPE_CORRELATION) {
        if (record.external == 0) return;
        actions_[record.correlation] = record.external;
        const auto [first, end] = waiting_.equal_range(record.correlation);
        for (auto it = first; it != end; ++it) joined_[record.external].push_back(std::move(it->second));
        waiting_.erase(first, end);
        return;
    }
    KernelSpan span{.name = record.name ? record.name : "",
                    .kind = record.kind,
                    .start_ns = record.start_ns,
                    .end_ns = record.end_ns,
                    .bytes = record.bytes};
    if (const auto action = actions_.find(record.correlation); action != actions_.end())
        joined_[action->second].push_back(std::move(span));
    else
        waiting_.emplace(record.correlation, std::move(span));
}

bool anyWork(const TracedWork&) {
    return true;
}

std::vector<WorkSpan> KernelJoin::takeSpans(const WorkFilter& wanted) {
    std::vector<WorkSpan> spans;
    for (auto joined = joined_.begin(); joined != joined_.end();) {
        const bool taken = wanted(unpackTraceId(joined->first));
        if (taken) spans.push_back(describe(joined->first, std::move(joined->second)));
        joined = taken ? joined_.erase(joined) : std::next(joined);
    }
    std::erase_if(actions_, [&](const auto& action) { return wanted(unpackTraceId(action.second)); });
    forgetOldest();
    std::sort(spans.begin(), spans.end(),
              [](const WorkSpan& a, const WorkSpan& b) { return a.start_ns < b.start_ns; });
    return spans;
}

std::vector<WorkSpan> KernelJoin::takeSoFar() {
    std::vector<WorkSpan> spans;
    for (auto& [id, kernels] : joined_) spans.push_back(describe(id, std::move(kernels)));
    joined_.clear();
    forgetOldest();
    return spans;
}

void KernelJoin::forgetOldest() {
    while (actions_.size() > kKept) actions_.erase(actions_.begin());
    while (waiting_.size() > kKept) waiting_.erase(waiting_.begin());
}

}  // namespace bscope
