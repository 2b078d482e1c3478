// PuzzleProgress: the best result of the user in each level, kept as a file of JSON:
// {"levels": {"two-ranks": {"stars": 3, "steps": 9, "peak": 2}}}. Values; any thread.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "puzzle/puzzle_status.h"

namespace bscope {

struct PuzzleBest {
    int stars = 0, steps = 0, peak = 0;
    bool operator==(const PuzzleBest&) const = default;
};

struct PuzzleProgress {
    std::map<std::string, PuzzleBest> levels;  // by id; what is not here was never solved
    int starsOf(const std::string& level) const;
    // Keeps a complete grid that gets a star and is better than before; whether it is.
    bool add(const PuzzleLevel& level, const PuzzleStatus& standing);
    bool operator==(const PuzzleProgress&) const = default;
};

// Nothing is there yet: empty. Throws SentenceError for a file that cannot be read or is none of these.
PuzzleProgress readPuzzleProgress(const std::filesystem::path& file);
// Makes the folder where it is missing. Throws SentenceError.
void writePuzzleProgress(const std::filesystem::path& file, const PuzzleProgress& progress);

}  // namespace bscope
