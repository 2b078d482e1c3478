// LearningPath: an order in which to take lessons, and what goes with them: cards, a quiz, levels of the
// puzzle and sheets of the handout as homework, what to read. The paths stand in resources/paths.json and
// travel inside the programs; window and command line show the same. Values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cards/card.h"

namespace bscope {

// A week, or all of a path.
struct PathPart {
    CardText title;
    std::vector<std::string> lessons;  // ids, in order
    std::vector<std::string> cards;    // ids
    bool quiz = false;
    std::vector<std::string> levels;  // of the puzzle: homework
    std::vector<std::string> sheets;  // lessons whose sheet is homework
    std::vector<CardText> reading;
};

struct LearningPath {
    std::string id;  // "interview"
    CardText title, about;
    int minutes = 0;  // 0: it is not taken in one go
    std::vector<PathPart> parts;
};

// Throws std::invalid_argument that names the path and the field.
std::vector<LearningPath> readPaths(std::string_view json);

std::span<const LearningPath> learningPaths();
const LearningPath* findPath(std::string_view id);  // nullptr: none is called so

}  // namespace bscope
