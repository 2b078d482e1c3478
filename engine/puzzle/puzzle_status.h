// PuzzleStatus: how far a grid has come and what it costs: predicted and summed up as every other schedule.
// Hints: what could be placed next, and why no order is shorter. Pure functions; any thread.
#pragma once

#include <optional>
#include <vector>

#include "puzzle/puzzle_grid.h"

namespace bscope {

struct PuzzleStatus {
    int missing = 0;  // operations
    int steps = 0;    // until now
    int idle = 0;     // steps of all ranks together, until the last of them is done
    double bubble_of_total = 0;
    std::vector<int> in_flight;    // (p,) most chunks at one time
    std::vector<Action> critical;  // the path that decides on the steps, in order of time
    int over_cap = -1;             // the first rank that holds more than the level allows; -1: none
    int stars = 0;  // 1: complete and within the cap; 2: as few steps as the par; 3: and as little in flight
    int peak() const;
    bool isComplete() const { return missing == 0; }
};

PuzzleStatus standingOf(const PuzzleLevel& level, const Schedule& schedule);
inline PuzzleStatus standingOf(const PuzzleGrid& grid) {
    return standingOf(grid.level(), grid.schedule());
}

// What could be placed at the end of its rank now, the earliest first; at one time backwards before forwards,
// W last. Nothing that would hold more than the level allows.
std::vector<Action> possibleNext(const PuzzleGrid& grid);

// "No order takes fewer than 15 steps: ..."
Sentence boundSentence(const PuzzleLevel& level);
// "Par: 15 steps, 2 in flight" and how sure that is.
Sentence parSentence(const PuzzleLevel& level);
// What is missing for the next star, or that there is none.
Sentence starSentence(const PuzzleLevel& level, const PuzzleStatus& standing);

}  // namespace bscope
