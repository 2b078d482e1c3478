// The table of schedules that the advisor predicts for a run, with the questions that usually decide as its
// reason: bscope advise --schedules.
#pragma once

#include "advice/schedule_choice.h"
#include "cli/input/analysed_run.h"

namespace bscope::cli {

// numbered: the lines from 1, the run as it is left out.
void printScheduleChoice(const AnalysedRun& run, const AdviceRequest& request, const Advice& advice,
                         Language language, bool numbered = false);

}  // namespace bscope::cli
