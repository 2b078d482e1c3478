// What is said beside the numbers of candidates: what one costs beside time and activations (copies of the
// weights, gradients of old weights, what copies exchange), and how far the numbers can be relied on. In
// words, for command line and window alike. Pure functions.
#pragma once

#include <vector>

#include "advice/advisor.h"
#include "analysis/causes.h"
#include "advice/schedule_choice.h"
#include "words/sentence.h"

namespace bscope {

// Against the run as it is; empty: nothing of it. knows_model: of the run.
std::vector<Sentence> costsInWords(const Candidate& candidate, const Prediction& now, bool knows_model,
                                   const DurationText& duration = GapWording::durationText);

// A run that took ran_ns, the median of its iterations, where its own costs predict another time: a gain
// below that difference may not be there. Empty: they agree within 15 %, or ran_ns is not known (0).
Sentence doubtOf(double ran_ns, const Prediction& now,
                 const DurationText& duration = GapWording::durationText);

}  // namespace bscope
