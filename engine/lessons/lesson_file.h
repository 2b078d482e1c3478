// A lesson's file: a scenario whose texts and claims name nothing that does not exist.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "lessons/lesson_numbers.h"
#include "wire/bubblescope.pb.h"
#include "wire/error.h"
#include "words/catalog.h"

namespace bscope {

// Words of a lesson's curtain and marks (bubblescope.proto).
inline constexpr const char *kCoverMemory = "memory", *kCoverReceives = "receives", *kCoverWidths = "widths",
                            *kCoverNone = "none", *kLongestGap = "gap", *kWholeRank = "rank";

// Whether run `index` is not to be seen before the guess.
bool isCovered(const wire::Lesson& lesson, int index);
bool coversRuns(const wire::Lesson& lesson);  // any of them
// What is not to be seen of the runs that are open: kCoverMemory, kCoverReceives; of those after the first
// kCoverWidths.
bool covers(const wire::Lesson& lesson, const char* part);

// What was made, and every other name that the lesson's texts may use: it has not run.
LessonRuns withAllNames(const wire::Lesson& lesson, LessonRuns made = {});

// The scenario with every try as a set of runs. Throws WireError, which begins with `name`, for a lesson that
// names a number, a run or a rank that it does not have.
wire::Scenario checkedLesson(wire::Scenario scenario, const std::string& name);

// Lessons in their order: one that builds on a lesson which is not before it, in a sentence each.
std::vector<Sentence> orderProblems(std::span<const wire::Scenario* const> lessons);

// Throws WireError: for what is no scenario, or a lesson that names a number, a run or a rank that it does
// not have.
wire::Scenario loadLessonFile(const std::filesystem::path& file);

// In that language; English where a text has no other.
const std::string& wordsIn(const wire::Text& text, Language language);

}  // namespace bscope
