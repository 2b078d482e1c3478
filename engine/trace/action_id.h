// ActionId: an action of an iteration on a rank in 64 bits, as a tracer carries it from the launch of a
// kernel to the record of its run. Bits from the top: iteration 15 (modulo 32768), rank 14, operation 5,
// stage 13 (0 for none), micro-batch 17. Zero is no action. Pure functions.
#pragma once

#include <cstdint>

#include "schedule/action.h"

namespace bscope {

inline constexpr int kIterationIds = 1 << 15;

struct TracedAction {
    int iteration = 0;  // modulo kIterationIds
    int rank = 0;
    Action action;
    bool operator==(const TracedAction&) const = default;
};

// Throws std::out_of_range when rank, stage or micro-batch do not fit.
std::uint64_t packActionId(const TracedAction& traced);
TracedAction unpackActionId(std::uint64_t id);

}  // namespace bscope
