// How long processes of a run wait for each other, and how often they look while they wait.
#pragma once

#include <chrono>

#include "words/sentence.h"

namespace bscope {

using SteadyClock = std::chrono::steady_clock;

// A process that nothing was heard of for so long is silent.
inline constexpr auto kPatience = std::chrono::seconds(7);
// For what may come at any time.
inline constexpr auto kForEver = std::chrono::hours(24 * 365);
// How often a wait checks whether it has become pointless.
inline constexpr auto kLookEvery = std::chrono::milliseconds(20);

inline const Sentence kNextIteration = sentence("the next iteration");

}  // namespace bscope
