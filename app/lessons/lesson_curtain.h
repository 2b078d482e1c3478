// What of a lesson's runs may be seen before the guess, and while the curtain opens after it. The views hold
// nothing else, so that no part of the window can show it. Pure functions.
#pragma once

#include <vector>

#include "lessons/lesson_file.h"
#include "view/view_data.h"

namespace bscope::ui {

// No numbers; covered runs are frames without lanes, and where memory is covered no run has any.
std::vector<IterationView> curtained(const wire::Lesson& lesson, std::vector<IterationView> views);
// What was covered, up to this share of the time of the longest of it; all on one clock, so that a shorter
// run is complete earlier.
std::vector<IterationView> drawnUpTo(const wire::Lesson& lesson, std::vector<IterationView> views,
                                     double share);

}  // namespace bscope::ui
