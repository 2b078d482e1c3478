// Runs whose stages compute the same, with one duration for each stage and operation. Pure functions.
#pragma once

#include <span>
#include <vector>

#include "lessons/lesson_numbers.h"

namespace bscope {

// Stage by stage the same work on the same rank, in any order: schedule, m and link may differ.
bool computeTheSame(const LessonRun& a, const LessonRun& b);

// Medians over all the iterations, by stage and operation; what none of them computed is 0. They compute the
// same, and there is at least one.
std::vector<StageCosts> pooledDurations(std::span<const LessonRun> iterations);

// The iteration with every operation as long as it says there, placed as prediction places it; bytes in
// memory stay those that were measured. nullopt: it cannot be placed so, since it is of a stream, has
// replicas, or its events are not those of the schedule.
std::optional<LessonRun> placedAnew(const LessonRun& run, const std::vector<StageCosts>& durations);

}  // namespace bscope
