// plannedRun: a run of a lesson as planning has it, with the numbers that its texts may name: for what is
// shown of a run before it has run. PREDICTED: nothing ran, so there is no loss. Pure function.
#pragma once

#include <optional>

#include "lessons/lesson_numbers.h"
#include "view/view_data.h"

namespace bscope::ui {

// plan: of Session::planOf(). nullopt: of an endless stream, or of a configuration that cannot run.
std::optional<LessonRun> plannedRun(const IterationView& plan);

}  // namespace bscope::ui
