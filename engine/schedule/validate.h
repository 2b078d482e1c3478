// scheduleErrors: everything that is wrong with a Schedule as data, in sentences; empty means that it can be
// lowered and run. For schedules read from files and as the common check of all generators.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

// Every stage on a rank that exists and in exactly one chain; every action on the rank that owns its stage;
// each (stage, micro-batch) exactly one F and, unless forward-only, one B or one I with one W; F before B or
// I, I before W on the rank; and the orders of all ranks together can be played to the end.
std::vector<std::string> scheduleErrors(const Schedule& schedule);

}  // namespace bscope
