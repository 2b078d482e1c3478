// PuzzleLevel: a task of "Build your own schedule": ranks, chunks and micro-batches, which operations there
// are, how much memory, and the par. Every operation of a chunk takes one step but B, which takes two;
// messages take none. The pars stand in resources/puzzle_pars.json, which travels inside the programs.
// Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "schedule/schedule.h"
#include "timeline/costs.h"

namespace bscope {

// The best that was found: the fewest steps, and the fewest chunks in flight with which they are reached.
struct PuzzlePar {
    int steps = 0;
    int peak = 0;               // of the fullest rank
    bool steps_proved = false;  // no order takes fewer
    bool peak_proved = false;   // none with fewer chunks in flight takes so few steps
    std::string found_by;       // what the search began with: a catalog name or "list scheduling"
    bool operator==(const PuzzlePar&) const = default;
};

struct PuzzleLevel {
    const char* id;     // of command line and kept progress: "two-ranks"
    const char* title;  // both are ids of sentences
    const char* goal;
    int p, v, m;
    bool zigzag;           // stages lie on a V instead of a loop
    bool split;            // I and W may stand in place of a B
    int cap;               // chunks in flight on any rank; 0: no cap
    const char* textbook;  // the schedule of the catalog that it is put beside

    // Nothing placed yet.
    Schedule empty() const;
    Costs costs() const;  // 1 step = 1e9 ns, one chunk = 1 byte
};

std::span<const PuzzleLevel> puzzleLevels();
const PuzzleLevel* findPuzzleLevel(std::string_view id);  // nullptr: none is called so
const PuzzlePar& parOf(const PuzzleLevel& level);

// Throws std::invalid_argument that names the level and the field; (levels,).
std::vector<PuzzlePar> readPuzzlePars(std::string_view json);

}  // namespace bscope
