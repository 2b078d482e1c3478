// LessonRuns made here, in the order of LessonCourse, each in a Run of its own. Those of a lesson end when
// what it claims of them is settled, so the numbers of iterations are the most there can be.
#pragma once

#include <functional>

#include "lessons/lesson_course.h"
#include "view/view_data.h"
#include "wire/bubblescope.pb.h"

namespace bscope::cli {

enum class LessonParts { Runs, RunsAndTries };

// Iterations of all runs together.
int iterationsOf(const wire::Lesson& lesson, LessonParts parts);
int iterationsOf(const std::vector<CourseRun>& runs);

// In turn, each in a Run of its own; all their rounds.
LessonCourse runCourse(std::vector<CourseRun> runs, const std::function<bool()>& interrupted,
                       const std::function<void(const IterationReport&)>& reported);

// Of one set of tries, named "T1A" and so on. before: the runs of the lesson, which its claims may name.
LessonRuns runTry(const wire::Lesson& lesson, int set, const LessonRuns& before,
                  const std::function<bool()>& interrupted,
                  const std::function<void(const IterationReport&)>& reported);
int iterationsOfTry(const wire::Lesson& lesson, int set);

// reported: called after every iteration. Throws RunFailure, also when `interrupted` has become true;
// ConfigError.
LessonRuns runLesson(const wire::Lesson& lesson, LessonParts parts, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& reported);

// The iteration that is kept of a run, as it is shown; `ran` of the run is there, with events.
IterationView viewOf(const LessonRun& run);

}  // namespace bscope::cli
