// A lesson's runs as prediction has them: for its explanation where what ran is too noisy to show it. Pure
// functions.
#pragma once

#include "lessons/lesson_text.h"

namespace bscope {

// Every run that was played with durations that follow from the model's shape alone, all of them scaled alike
// so that work takes as long as it did in these runs; losses and bytes stay those of the run. What cannot be
// played (tables, streams) stays as it is.
LessonRuns predictedRuns(const LessonRuns& runs);

// A lesson's explanation, which is always given.
struct LessonExplanation {
    bool predicted = false;  // its numbers are predictedRuns()
    LessonRuns runs;         // whose numbers it has
    Sentence noisy;          // the runs belie its claims, and what follows of that; "" otherwise
};
LessonExplanation explanationOf(const Claims& claims, const LessonRuns& runs);

}  // namespace bscope
