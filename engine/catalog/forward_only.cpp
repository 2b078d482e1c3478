// Forward only (inference): no backward, activations are dropped once sent. With v > 1 depth first, p
// micro-batches of one chunk at a time.
#include "catalog/generators.h"
#include "catalog/virtual_microbatches.h"

namespace bscope::generators {

Schedule forwardOnly(const ScheduleParams& params) {
    Schedule schedule = singleChain(params, loopPlacement(params.p, params.v));
    const std::vector<VirtualMicrobatch> table = virtualMicrobatches(params.v, params.m, params.p);
    for (int r = 0; r < params.p; ++r)
        for (const VirtualMicrobatch& entry : table)
            schedule.orders[static_cast<std::size_t>(r)].push_back(
                {entry.chunk * params.p + r, Op::Forward, entry.microbatch});
    return schedule;
}

}  // namespace bscope::generators
