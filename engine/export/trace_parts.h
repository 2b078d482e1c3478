// What traces for other programs have in common, whatever their format: what is said of a box, the names of
// kernels, the arrows between boxes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "timeline/timeline.h"

namespace bscope {

inline Action boxOf(const KernelEvent& kernel) {
    return kernel.action();
}
std::string kindOf(const KernelEvent& kernel);  // "kernel", "copy", "fill", "all_reduce"
// Of the track of spans like it: "kernels", "collectives".
std::string spansLike(const KernelEvent& kernel);
// Its own, or its kind; UTF-8 without control characters.
std::string printableName(const KernelEvent& kernel);

// Iteration, stage, micro-batch, bytes; of asynchronous schedules the version of the weights and its
// staleness.
std::vector<std::pair<const char*, std::int64_t>> numbersOf(const Event& event);

// A message, from the end of what produced it to the start of what waited for it.
struct TraceArrow {
    Event from, to;
};
// Of all iterations.
std::vector<TraceArrow> arrowsOf(const Timeline& timeline);

}  // namespace bscope
