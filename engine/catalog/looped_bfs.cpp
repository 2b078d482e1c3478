// Looped breadth-first (arXiv:2211.05953): every chunk runs all its micro-batches before the next chunk
// begins, so that FSDP gathers the weights of a stage once a direction. PyTorch runs the backward
// micro-batches in reverse.
#include "catalog/generators.h"

namespace bscope::generators {

Schedule loopedBfs(const ScheduleParams& params) {
    const int p = params.p, v = params.v, m = params.m;
    Schedule schedule = singleChain(params, loopPlacement(p, v));
    for (int r = 0; r < p; ++r) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
        for (int chunk = 0; chunk < v; ++chunk)
            for (int i = 0; i < m; ++i) order.push_back({chunk * p + r, Op::Forward, i});
        for (int chunk = v - 1; chunk >= 0; --chunk)
            for (int i = m - 1; i >= 0; --i) order.push_back({chunk * p + r, Op::Backward, i});
    }
    return schedule;
}

}  // namespace bscope::generators
