// KernelJoin: from the records of a tracer to the times of actions. A correlation record says which action a
// driver call was made for, a span says when what the call started ran; both have the call's number and come
// in any order, even in different drains. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/plugin/plugin_abi.h"
#include "trace/trace_id.h"

namespace bscope {

struct KernelSpan {
    std::string name;  // empty for copies and fills
    int kind = BSCOPE_KERNEL;
    std::int64_t start_ns = 0, end_ns = 0;
    std::uint64_t bytes = 0;
};

// One action as the device ran it.
struct WorkSpan {
    TracedWork traced;
    std::int64_t start_ns = 0;        // of its first kernel
    std::int64_t end_ns = 0;          // of its last
    std::int64_t gap_ns = 0;          // in between, when none of its kernels ran: the cost of launching
    std::vector<KernelSpan> kernels;  // by start
};

using WorkFilter = std::function<bool(const TracedWork&)>;
bool anyWork(const TracedWork&);

class KernelJoin {
public:
    void add(const BscopeTraceRecord& record);
    // Everything that belongs to those actions so far, by start; it is forgotten here. To be called when they
    // are known to be complete: after a synchronisation and a drain.
    std::vector<WorkSpan> takeSpans(const WorkFilter& wanted = anyWork);
    // While things run: what has been joined since the last time; of the same actions more may come.
    std::vector<WorkSpan> takeSoFar();
    // Spans whose call belongs to no action, or whose correlation was lost; kept until it comes.
    std::size_t unmatched() const { return waiting_.size(); }

private:
    // Of what has not found the other only so much is kept, the newest: a library's kernels belong to no
    // action.
    void forgetOldest();

    std::map<std::uint32_t, std::uint64_t> actions_;           // by correlation
    std::multimap<std::uint32_t, KernelSpan> waiting_;         // by correlation
    std::map<std::uint64_t, std::vector<KernelSpan>> joined_;  // by action
};

}  // namespace bscope
