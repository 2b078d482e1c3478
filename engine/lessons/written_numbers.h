// Numbers typed into a lesson's texts that should come from a run or a formula, since they would be wrong on
// another machine or for another m. Pure function.
#pragma once

#include <vector>

#include "wire/bubblescope.pb.h"
#include "words/sentence.h"

namespace bscope {

// One for each of them, with its field. Allowed are 0, 1 and 2, years, speech “in quotation marks”, the
// numbers of ranks, lessons and parameters ("rank 3", "lesson 11", "m = 9"), and those of the runs'
// configurations, the story, the look, the question and its choices.
std::vector<Sentence> writtenNumbers(const wire::Lesson& lesson);

}  // namespace bscope
