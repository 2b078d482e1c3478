// Questions about common misconceptions: 1F1B and the bubble, memory and m, versions of weights, inference,
// tensor parallelism. One thread.
#pragma once

#include <optional>

#include "cards/quiz.h"
#include "cards/quiz_draw.h"

namespace bscope::quiz {

std::optional<QuizQuestion> sameBubble(Draw& draw);
std::optional<QuizQuestion> memoryOfM(Draw& draw);
std::optional<QuizQuestion> weightVersions(Draw& draw);
std::optional<QuizQuestion> inference(Draw& draw);
std::optional<QuizQuestion> tensorMessages(Draw& draw);
std::optional<QuizQuestion> factor(Draw& draw);

}  // namespace bscope::quiz
