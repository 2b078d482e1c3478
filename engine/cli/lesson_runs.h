// LessonRuns made here: the configurations of a lesson run as the window runs them, one after the other, a
// few iterations each; of those after the first, which warms up, the quickest is kept.
#pragma once

#include <functional>

#include "lessons/lesson_numbers.h"
#include "wire/bubblescope.pb.h"

namespace bscope::cli {

inline constexpr int kLessonIterations = 3;  // of each run

// told: after every iteration. Throws RunFailure, also when `interrupted` has become true; ConfigError.
LessonRuns runLesson(const wire::Lesson& lesson, const std::function<bool()>& interrupted,
                     const std::function<void(const IterationReport&)>& told);

}  // namespace bscope::cli
