// Hanayo-style wave (after arXiv:2308.15762; derived by folding Chimera over 2p ranks onto p): one replica
// goes back and forth over the ranks, v / 2 waves, so that Chimera's two directions meet without a second
// copy of the weights.
#include "catalog/generators.h"
#include "catalog/nearest.h"
#include "catalog/slots.h"

namespace bscope::generators {

Schedule hanayo(const ScheduleParams& params) {
    const int p = params.p;
    const int stages = p * params.v;
    Schedule schedule = singleChain(params, zigzagPlacement(p, params.v));
    std::vector<SlotOrder> slots(static_cast<std::size_t>(p));
    for (int stage = 0; stage < stages; ++stage) {
        SlotOrder& rank =
            slots[static_cast<std::size_t>(schedule.placement[static_cast<std::size_t>(stage)])];
        for (int i = 0; i < params.m; ++i) {
            const int unit = i / p, j = i % p;
            const int base = 2 * stages * unit + 2 * j;
            rank.put(base + stage, {stage, Op::Forward, i});
            rank.put(base + 2 * stages - 1 - stage, {stage, Op::Backward, i});
        }
    }
    for (std::size_t r = 0; r < slots.size(); ++r) schedule.orders[r] = slots[r].sorted();
    return schedule;
}

std::vector<Problem> hanayoProblems(const ScheduleParams& params) {
    if (params.v % 2 == 0 || params.v < 2) return {};  // v < 2 is refused by the catalog
    return {{"v",
             "v = {0} must be even: a wave goes there and back",
             {std::to_string(params.v)},
             nearestLegal(params.v, 2, kMaxChunks, [](long v) { return v % 2 == 0; })}};
}

}  // namespace bscope::generators
