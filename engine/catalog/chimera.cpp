// Chimera (arXiv:2107.06925): two replicas in opposite directions fill each other's bubbles. One unit
// is p micro-batches, half of them in each direction; units follow each other directly ("direct
// concatenation"). A last half unit runs in the first direction alone.
#include <algorithm>

#include "catalog/generators.h"
#include "catalog/nearest.h"
#include "catalog/slots.h"

namespace bscope::generators {

Schedule chimera(const ScheduleParams& params) {
    const int p = params.p, half_units = params.m / (p / 2);
    Schedule schedule = twoChains(params);
    schedule.chain_microbatches = {(half_units + 1) / 2 * (p / 2), half_units / 2 * (p / 2)};
    for (int r = 0; r < p; ++r) {
        SlotOrder slots;
        for (int direction = 0; direction < 2; ++direction) {
            const int q = direction == 0 ? r : p - 1 - r;  // the rank is the q-th stage of this direction
            const int stage = direction == 0 ? r : 2 * p - 1 - r;
            for (int i = 0; i < schedule.microbatchesOfChain(direction); ++i) {
                const int unit = i / (p / 2), j = i % (p / 2);
                const int base = 2 * p * unit + 2 * j;
                slots.put(base + q, {stage, Op::Forward, i});
                slots.put(base + 2 * p - 1 - q, {stage, Op::Backward, i});
            }
        }
        schedule.orders[static_cast<std::size_t>(r)] = slots.sorted();
    }
    return schedule;
}

namespace {

bool isEven(long value) {
    return value % 2 == 0;
}

Problem oddRanks(const ScheduleParams& params) {
    return {"p",
            "p = {0} must be even: two directions meet in the middle",
            {std::to_string(params.p)},
            nearestLegal(params.p, 2, kMaxRanks, isEven)};
}

}  // namespace

std::vector<Problem> chimeraProblems(const ScheduleParams& params) {
    std::vector<Problem> found;
    if (!isEven(params.p)) found.push_back(oddRanks(params));
    const long half = std::max(1, params.p / 2);
    const auto legal = [half](long m) { return m >= 2 * half && m % half == 0; };
    if (!legal(params.m))
        found.push_back(
            {"m",
             "m = {0} must be a multiple of p / 2 = {1} and at least p: half units of one direction",
             {std::to_string(params.m), std::to_string(half)},
             nearestLegal(params.m, 1, kMaxMicrobatches, legal)});
    return found;
}

std::vector<Problem> evenProblems(const ScheduleParams& params) {
    std::vector<Problem> found;
    if (!isEven(params.p)) found.push_back(oddRanks(params));
    if (!isEven(params.m))
        found.push_back({"m",
                         "m = {0} must be even: half of the micro-batches run in each direction",
                         {std::to_string(params.m)},
                         nearestLegal(params.m, 2, kMaxMicrobatches, isEven)});
    return found;
}

}  // namespace bscope::generators
