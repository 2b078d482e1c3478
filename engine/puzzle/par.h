// How a par is computed: the search for the level's costs, placement and cap, and then under ever smaller
// caps; it is proved by a bound, or by trying every order. Seconds for the larger levels. Any thread.
#pragma once

#include "puzzle/level.h"
#include "search/search_instance.h"

namespace bscope {

struct FoundPar {
    PuzzlePar par;
    Schedule schedule;  // reaches it
};

FoundPar searchPar(const PuzzleLevel& level);

// Why no order of the level takes fewer steps; most_chunks: in flight on any rank, 0: the level's cap.
LowerBound boundOf(const PuzzleLevel& level, int most_chunks = 0);

}  // namespace bscope
