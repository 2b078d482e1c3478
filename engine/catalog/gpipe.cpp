// GPipe (arXiv:1811.06965): all forwards, then all backwards. PyTorch and Megatron run the backwards
// first in, first out; the paper's figure and torchgpipe last in, first out.
#include "catalog/generators.h"

namespace bscope::generators {

namespace {

Schedule fillThenDrain(const ScheduleParams& params, bool last_in_first_out) {
    Schedule schedule = singleChain(params, loopPlacement(params.p, 1));
    for (int r = 0; r < params.p; ++r) {
        std::vector<Action>& order = schedule.orders[static_cast<std::size_t>(r)];
        for (int i = 0; i < params.m; ++i) order.push_back({r, Op::Forward, i});
        for (int k = 0; k < params.m; ++k)
            order.push_back({r, Op::Backward, last_in_first_out ? params.m - 1 - k : k});
    }
    return schedule;
}

}  // namespace

Schedule gpipe(const ScheduleParams& params) {
    return fillThenDrain(params, false);
}
Schedule gpipeLifo(const ScheduleParams& params) {
    return fillThenDrain(params, true);
}

}  // namespace bscope::generators
