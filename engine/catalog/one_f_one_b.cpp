// 1F1B = PipeDream-Flush = DAPPLE (arXiv:2006.09503, arXiv:2007.01045, arXiv:2104.04473): w forwards to
// warm up, then one forward and one backward in turn, then the remaining backwards; at most w + 1
// micro-batches in flight.
#include <algorithm>

#include "catalog/generators.h"

namespace bscope::generators {

Schedule oneForwardOneBackward(const ScheduleParams& params, const std::function<int(int)>& warmup) {
    const int p = params.p, m = params.m;
    Schedule schedule = singleChain(params, loopPlacement(p, 1));
    for (int r = 0; r < p; ++r) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
        const int w = std::min(warmup(r), m);
        for (int i = 0; i < w; ++i) order.push_back({r, Op::Forward, i});
        for (int k = 0; k < m - w; ++k) {
            order.push_back({r, Op::Forward, w + k});
            order.push_back({r, Op::Backward, k});
        }
        for (int k = m - w; k < m; ++k) order.push_back({r, Op::Backward, k});
    }
    return schedule;
}

Schedule oneFOneB(const ScheduleParams& params) {
    return oneForwardOneBackward(params, [&](int r) { return params.p - 1 - r; });
}

}  // namespace bscope::generators
