// Whether a level can be done in so many steps at all: every order is tried, step by step. Pure, any thread.
//
// Micro-batches are alike, so those of a stage may be numbered in the order in which they are forwarded there,
// and gradients follow in the same order: what has been reached after a step is how many forwards, gradients
// and weight gradients each stage has done, and what each rank is in the middle of. A whole backward is never
// better than its halves where these are allowed.
#pragma once

#include <cstddef>
#include <optional>

#include "puzzle/level.h"

namespace bscope {

// Whether some order takes no more steps, with no more chunks in flight on any rank. nullopt: more than
// most_states would have to be kept at a time, or the level is larger than a state can say.
std::optional<bool> someOrderTakes(const PuzzleLevel& level, int steps, int most_chunks,
                                   std::size_t most_states = 4'000'000);

}  // namespace bscope
