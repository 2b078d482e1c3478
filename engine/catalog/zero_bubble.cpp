// Zero bubble on a loop (arXiv:2401.10241): backward split into I and W, W delayed to where the rank
// would idle. ZB-H1 keeps 1F1B's memory; PyTorch's InterleavedZeroBubble is the same with v chunks; ZB-H2
// warms up with twice the forwards, so that no rank idles between its first and last operation.
#include <algorithm>

#include "catalog/generators.h"
#include "catalog/virtual_microbatches.h"
#include "schedule/index.h"

namespace bscope::generators {

Schedule zbInterleaved(const ScheduleParams& params) {
    const int p = params.p, v = params.v, n = roundGroupSize(params);
    const std::vector<VirtualMicrobatch> table = virtualMicrobatches(v, params.m, n);
    const int total = params.m * v;
    Schedule schedule = singleChain(params, loopPlacement(p, v));
    for (int r = 0; r < p; ++r) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
        const auto forward = [&](int k) { order.push_back(forwardOf(table[at(k)], p, r)); };
        const auto backward = [&](Op op, int k) { order.push_back(backwardOf(table[at(k)], op, p, v, r)); };
        const int w = std::min(total, (v - 1) * n + (p - 1 - r));
        for (int k = 0; k < w; ++k) forward(k);
        for (int k = 0; k < total; ++k) {
            if (w + k < total) forward(w + k);
            backward(Op::BackwardInput, k);
            if (k >= r) backward(Op::BackwardWeight, k - r);
        }
        for (int k = std::max(0, total - r); k < total; ++k) backward(Op::BackwardWeight, k);
    }
    return schedule;
}

Schedule zbH2(const ScheduleParams& params) {
    const int p = params.p, m = params.m;
    Schedule schedule = singleChain(params, loopPlacement(p, 1));
    for (int r = 0; r < p; ++r) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
        const int w = std::min(m, 2 * (p - 1 - r));
        for (int i = 0; i < w; ++i) order.push_back({r, Op::Forward, i});
        for (int k = 0; k < m; ++k) {
            if (w + k < m) order.push_back({r, Op::Forward, w + k});
            order.push_back({r, Op::BackwardInput, k});
            if (k >= 2 * r) order.push_back({r, Op::BackwardWeight, k - 2 * r});
        }
        for (int k = std::max(0, m - 2 * r); k < m; ++k) order.push_back({r, Op::BackwardWeight, k});
    }
    return schedule;
}

}  // namespace bscope::generators
