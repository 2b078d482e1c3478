// What is illegal about serving requests under a configuration: sizes of the requests and of the steps, and
// what serving does not have. Pure functions.
#pragma once

#include <vector>

#include "config/run_config.h"
#include "schedule/serving.h"

namespace bscope {

// Most requests of a run, and most tokens of all of them.
inline constexpr int kMaxRequests = 4096, kMaxServedTokens = 1 << 24;

// Every illegal value, none twice, with the nearest legal ones. Of the configuration only what serving asks
// of it: problems() has the rest. m is the number of steps and therefore not looked at.
std::vector<Problem> servingProblems(const RunConfig& config, const Serving& serving);

}  // namespace bscope
