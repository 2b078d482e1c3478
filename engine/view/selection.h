// What of an iteration is pointed at: a range of time, a box, a gap, lanes. Values.
#pragma once

#include <cstdint>

#include "schedule/action.h"

namespace bscope {

struct TimeRange {
    double from_ns = 0, to_ns = 0;
    double width() const { return to_ns - from_ns; }
    bool operator==(const TimeRange&) const = default;
};

struct Selection {
    int rank = -1;
    Action action;  // the selected box; its micro-batch's whole life lights up
    std::int32_t iteration = -1;
    bool of_baseline = false;  // of two iterations on the canvas the pinned one
    bool operator==(const Selection&) const = default;
};

// Time without work on one lane, from one box to the next; known by where it begins.
struct GapSelection {
    int rank = -1;
    std::int32_t iteration = -1;
    std::int64_t start_ns = 0;  // absolute
    bool of_baseline = false;   // as in Selection
    bool operator==(const GapSelection&) const = default;
};

// Lanes from one to another, both included.
struct LaneSpan {
    int first = 0, last = 0;
    bool holds(int lane) const { return first <= lane && lane <= last; }
    bool operator==(const LaneSpan&) const = default;
};

}  // namespace bscope
