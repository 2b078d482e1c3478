// Events of timelines that a test writes down itself, times in ns.
#pragma once

#include <cstdint>

#include "timeline/event.h"

namespace bscope {

inline Event computeEvent(int rank, const Action& action, std::int64_t start, std::int64_t end,
                          std::int32_t iteration = 0) {
    Event e;
    e.rank = static_cast<std::int16_t>(rank);
    e.op = action.op;
    e.stage = action.stage;
    e.microbatch = action.microbatch;
    e.start_ns = start;
    e.end_ns = end;
    e.iteration = iteration;
    return e;
}

// The transfer began at `transfer`.
inline Event receiveEvent(int rank, const Action& action, std::int64_t start, std::int64_t transfer,
                          std::int64_t end, std::int32_t iteration = 0) {
    Event e = computeEvent(rank, action, start, end, iteration);
    e.transfer_ns = transfer;
    return e;
}

}  // namespace bscope
