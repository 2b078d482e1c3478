// A lesson's runs as prediction has them: for its explanation where what ran is too noisy to show it. Pure
// functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "lessons/lesson_text.h"

namespace bscope {

// Every run that was played with durations that follow from the model's shape alone, all of them scaled alike
// so that work takes as long as it did in these runs; losses and bytes stay those of the run. What cannot be
// played (tables, streams) stays as it is.
LessonRuns predictedRuns(const LessonRuns& runs);

// What a check says of a claim. Predicted: noise leaves it open in what ran, where it does not hold; it holds
// of predicted numbers, with which a lesson is then explained.
enum class ClaimVerdict : std::uint8_t { Holds, Predicted, Fails };
ClaimVerdict claimVerdict(std::string_view claim, const LessonRuns& runs);

// A lesson's explanation, which is always given.
struct LessonExplanation {
    bool predicted = false;  // its numbers are predictedRuns()
    LessonRuns runs;         // whose numbers it has
    Sentence noisy;          // the runs belie its claims, and what follows of that; "" otherwise
};
LessonExplanation explanationOf(const Claims& claims, const LessonRuns& runs);

}  // namespace bscope
