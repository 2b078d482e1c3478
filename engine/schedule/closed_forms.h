// Closed forms of bubble / total for equal stages and a free link; f, i, w are the durations of one operation of one
// chunk, B = i + w. nullopt where the form does not hold for the parameters.
#pragma once

#include <optional>

#include "schedule/schedule.h"

namespace bscope::closed_forms {

// (p-1)/p: one micro-batch at a time.
std::optional<double> oneAtATime(const ScheduleParams& params, double f, double i, double w);
// (p-1)/(v*m+p-1): GPipe, arXiv:1811.06965; interleaved 1F1B, arXiv:2104.04473 sec 2.2.
std::optional<double> fillAndDrain(const ScheduleParams& params, double f, double i, double w);
// The same without backward; with v > 1 only when p divides m.
std::optional<double> forwardFillAndDrain(const ScheduleParams& params, double f, double i, double w);

}  // namespace bscope::closed_forms
