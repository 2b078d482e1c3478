// LessonRuns made here, in the order of LessonCourse, each in a Run of its own.
#pragma once

#include <functional>

#include "lessons/lesson_course.h"
#include "wire/bubblescope.pb.h"

namespace bscope::cli {

enum class LessonParts { Runs, RunsAndTries };

// Iterations of all runs together.
int iterationsOf(const wire::Lesson& lesson, LessonParts parts);
int iterationsOf(const std::vector<CourseRun>& runs);

// In turn, each in a Run of its own, as runLesson() makes a lesson's.
LessonCourse runCourse(std::vector<CourseRun> runs, const std::function<bool()>& interrupted,
                       const std::function<void(const IterationReport&)>& reported);

// Of one set of tries, named "T1A" and so on.
LessonRuns runTry(const wire::Lesson& lesson, int set, const std::function<bool()>& interrupted,
                  const std::function<void(const IterationReport&)>& reported);
int iterationsOfTry(const wire::Lesson& lesson, int set);

// reported: called after every iteration. Throws RunFailure, also when `interrupted` has become true;
// ConfigError.
LessonRuns runLesson(const wire::Lesson& lesson, LessonParts parts, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& reported);

}  // namespace bscope::cli
