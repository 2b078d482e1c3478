// What GPUs ran inside the boxes of a run: a span's kernels placed in its box, and LaterKernels for streams
// whose boxes are reported before their kernels are known. Plain data; one thread.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "clock/clock.h"
#include "gpu/gpu_trace.h"

namespace bscope {

// An operation as it was reported; its work is what the GPU was timed to do for it.
struct GpuBox {
    int rank = 0, iteration = 0;
    Action action;
    OpTime time;
};

void appendKernels(const GpuBox& box, const WorkSpan& span, std::vector<KernelEvent>& to);

// Boxes and spans come in any order, some of either without the other, and spans in parts.
class LaterKernels {
public:
    // Named as the tracer names it.
    void add(const RankWork& traced, const GpuBox& box) { boxes_.insert_or_assign(traced, box); }
    void add(WorkSpan span) { early_.push_back({std::move(span)}); }
    // What has found its box, by rank and iteration. Called once an iteration, the newest; what is far behind
    // it is forgotten.
    std::map<std::pair<int, int>, std::vector<KernelEvent>> take(int iteration);

private:
    struct Early {
        WorkSpan span;
        int waits = 0;  // iterations
    };
    std::map<RankWork, GpuBox> boxes_;
    std::vector<Early> early_;
};

}  // namespace bscope
