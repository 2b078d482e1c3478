// leaveOutStartUp: the first iteration of a training, in which it compiles, warms up or allocates, is not
// representative of the others.
#pragma once

#include <optional>
#include <vector>

#include "import/trace/traced_run.h"

namespace bscope {

// How much longer than the median of the others the first iteration is when it counts as one that started up;
// and by how many of their median deviations from it, since iterations may differ by nature.
inline constexpr double kStartUpFactor = 1.5, kStartUpDeviations = 5;

// The first of these iterations when it lasts so much longer than the others, of which there are two at
// least. An iteration lasts as long as the rank that is longest at it, by the rank's own clock, from its
// first to its last forward or backward.
std::optional<int> startUpIteration(const TracedRun& run, const std::vector<int>& iterations);

// Takes it out of the run and out of `iterations`, with a note.
void leaveOutStartUp(TracedRun& run, std::vector<int>& iterations, int start_up);

}  // namespace bscope
