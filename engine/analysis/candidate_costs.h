// What a candidate costs beside time and activations: copies of the weights, gradients of old weights, what
// copies exchange. In words, for command line and window alike. Pure functions.
#pragma once

#include <vector>

#include "analysis/advisor.h"
#include "analysis/causes.h"
#include "analysis/schedule_choice.h"
#include "words/sentence.h"

namespace bscope {

// Against the run as it is; empty: nothing of it. knows_model: of the run.
std::vector<Sentence> costsInWords(const Candidate& candidate, const Prediction& now, bool knows_model,
                                   const DurationText& duration = GapWording::durationText);

}  // namespace bscope
