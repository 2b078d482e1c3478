// Sequential model parallelism (GPipe, arXiv:1811.06965): one micro-batch at a time through all
// ranks, so that no two ranks ever work at once. Rank r: for every i: F(r,i), B(r,i).
#include "catalog/generators.h"

namespace bscope::generators {

Schedule naive(const ScheduleParams& params) {
    Schedule schedule = singleChain(params, loopPlacement(params.p, 1));
    for (int r = 0; r < params.p; ++r) {
        for (int i = 0; i < params.m; ++i) {
            schedule.orders[static_cast<std::size_t>(r)].push_back({r, Op::Forward, i});
            schedule.orders[static_cast<std::size_t>(r)].push_back({r, Op::Backward, i});
        }
    }
    return schedule;
}

}  // namespace bscope::generators
