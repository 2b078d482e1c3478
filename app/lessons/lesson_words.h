// What a lesson says, filled with the numbers of its runs, in the language of the window. Pure functions.
#pragma once

#include "app/lessons/lesson_book.h"
#include "lessons/lesson_text.h"
#include "widgets/lessons/lesson_data.h"

namespace bscope::ui {

// numbers: of its runs and of the tries that were made. What its claims say of them is judged once all has
// run.
LessonData lessonData(const wire::Scenario& scenario, const LessonRuns& numbers, Language language,
                      bool all_ran = true);
// "3 of 18 iterations have run. The numbers of B are predicted; ..."
QString settlingText(int done, int total, std::size_t runs, const std::vector<std::string>& predicted);
// "Builds on lesson 2, Micro-batches fill the pipe."; "" for a lesson that builds on none.
QString buildsOnText(const LessonBook& book, const wire::Lesson& lesson, Language language);
// A typed estimate beside the runs' number, and whether it is right.
LessonEstimate estimateOf(const wire::Lesson& lesson, double estimate, const LessonRuns& numbers,
                          Language language);
// "Zero bubble", of lessons of level 5; empty: of none.
QString levelName(int level);

// Ways through the lessons that come with the program (cards/learning_path.h).
std::vector<LessonPath> lessonPaths(const LessonBook& book, Language language);

}  // namespace bscope::ui
