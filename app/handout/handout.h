// A handout of lessons as a PDF: for each one a page with story, picture of what is open, question and an
// empty grid to draw in, and a page with the answer; or slides, a step a page. Window thread only.
#pragma once

#include <QIODevice>
#include <vector>

#include "app/handout/handout_paper.h"
#include "app/lessons/lesson_book.h"
#include "lessons/lesson_numbers.h"
#include "wire/bubblescope.pb.h"
#include "words/catalog.h"

namespace bscope::ui {

// A lesson whose runs were made.
struct HandoutLesson {
    const wire::Scenario* scenario = nullptr;
    int number = 0;              // in the book, from 1; 0: not in it
    std::vector<int> builds_on;  // numbers of lessons
    LessonRuns numbers;
    std::vector<IterationView> views;
};

// kept: what was made of the runs. The scenario stays where it is while the lesson is used.
HandoutLesson handoutLesson(const wire::Scenario& scenario, const LessonBook& book, LessonRuns kept,
                            std::vector<IterationView> views);

// In the language of the application's translations, which are those of the options. Gives the pages; 0: not all could be
// written.
int writeHandout(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options, QIODevice& out);

}  // namespace bscope::ui
