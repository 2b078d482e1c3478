// What of a lesson's runs may be seen before the guess. The views hold nothing else, so that no part of the
// window can show it. Pure function.
#pragma once

#include <vector>

#include "lessons/lesson_file.h"
#include "widgets/data/view_data.h"

namespace bscope::ui {

// No numbers; covered runs are frames without lanes, and where memory is covered no run has any.
std::vector<IterationView> curtained(const wire::Lesson& lesson, std::vector<IterationView> views);

}  // namespace bscope::ui
