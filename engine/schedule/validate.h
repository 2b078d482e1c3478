// locateErrors: everything that is wrong with a Schedule as data, in sentences, each with the action it is
// about; empty means that it can be lowered and run. For schedules read from files and as the common check of
// all generators.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "words/sentence.h"

namespace bscope {

inline constexpr std::size_t kMostErrors = 1000;  // that are located; what follows is not

struct ScheduleError {
    Sentence what;
    int rank = -1;      // -1: about no single rank
    int position = -1;  // index into the rank's order; -1: about something that is not there
    Sentence why = {};  // the same of that place, where it is named already; empty: say what
};

// Every stage on a rank that exists and in exactly one chain; every action on the rank that owns its stage;
// each (stage, micro-batch) exactly one F and, unless forward-only, one B or one I with one W; F before B or
// I, I before W on the rank; every input made by a rank; and the orders of all ranks together can be played
// to the end. The sentences count micro-batches from first_microbatch.
std::vector<ScheduleError> locateErrors(const Schedule& schedule, int first_microbatch = 0);

// The sentences alone, in English.
std::vector<std::string> scheduleErrors(const Schedule& schedule);

}  // namespace bscope
