// TraceId: a piece of work of an iteration on a rank in 64 bits, as a tracer carries it from the launch of a
// kernel to the record of its run. Bits from the top: iteration 11 (modulo 2048), rank 14, operation 5, stage
// 13 (0 for none), part 4, micro-batch or, of a step, version 17 (0 for none). Zero is no work. Pure
// functions.
#pragma once

#include <cstdint>

#include "schedule/work_id.h"

namespace bscope {

inline constexpr int kIterationIds = 1 << 11;

struct TracedWork {
    int iteration = 0;  // modulo kIterationIds
    int rank = 0;
    WorkId id;
    bool operator==(const TracedWork&) const = default;
};

// Throws std::out_of_range when rank, stage, micro-batch or version do not fit.
std::uint64_t packTraceId(const TracedWork& traced);
TracedWork unpackTraceId(std::uint64_t id);

}  // namespace bscope
