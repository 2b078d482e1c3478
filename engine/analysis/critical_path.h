// The critical path of an iteration and how much slack everything beside it has (docs/NUMBERS.md, "Critical
// path and slack"). Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/event_graph.h"

namespace bscope {

struct CriticalPath {
    std::vector<int> nodes;                        // of the graph, in order of time
    std::array<std::int64_t, kOpCount> time_ns{};  // of its operations, by kind
    std::int64_t messages_ns = 0, pauses_ns = 0;   // where they held the path up
    std::int64_t length_ns() const;                // all of it
};

// The chain that ends with the operation that ends last; empty in an empty iteration.
CriticalPath criticalPath(const EventGraph& graph);

// (nodes,) ns by which each may end later without making the iteration longer; INT64_MAX where nothing in the
// iteration follows, as after an optimizer step at its end.
std::vector<std::int64_t> slack(const EventGraph& graph);

}  // namespace bscope
