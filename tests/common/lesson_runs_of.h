// Iterations as a lesson's texts name them: A, B, C.
#pragma once

#include <optional>
#include <span>

#include "lessons/lesson_numbers.h"
#include "view/view_data.h"

namespace bscope::ui {

inline LessonRuns lessonRuns(std::span<const std::optional<IterationView>> runs) {
    LessonRuns named;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::optional<LessonRun>& run = named[runName(i)];
        if (runs[i] && runs[i]->report)
            run = LessonRun{.config = runs[i]->config, .report = *runs[i]->report, .ran = runs[i]->ran};
    }
    return named;
}

}  // namespace bscope::ui
