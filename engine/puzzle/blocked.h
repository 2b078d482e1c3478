// blockedIn: which operation of a grid under construction cannot run, and what it waits for. Playback alone
// decides; this only reports what it found.
#pragma once

#include <optional>

#include "puzzle/puzzle_grid.h"

namespace bscope {

// Every action must be of its rank. Where several cannot run, one whose input is placed nowhere, else one
// whose input stands later on its own rank. split: a backward may be I and W.
std::optional<PuzzleRefusal> blockedIn(const Schedule& schedule, bool split);

}  // namespace bscope
