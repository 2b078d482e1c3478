// When a course has run long enough: its claims are settled. Pure function.
#pragma once

#include "lessons/lesson_course.h"
#include "lessons/lesson_text.h"

namespace bscope {

// After two rounds at least, each of which shows every claim by itself, and all of them together leave none
// open to noise. False without claims, and for one that names a run which is not there. before: the runs that
// the claims name and that the course, named by set, did not make. Throws LessonError.
bool areSettled(const Claims& claims, const LessonCourse& course, const std::string& set = {},
                const LessonRuns& before = {});

}  // namespace bscope
