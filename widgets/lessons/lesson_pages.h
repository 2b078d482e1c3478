// What a presentation shows of a lesson at its step, in pages of few words. Pure functions.
#pragma once

#include <QStringList>

#include "widgets/lessons/lesson_walk.h"

namespace bscope::ui {

struct LessonPage {
    QString heading, text;
    // What can be chosen on it, or the lesson's comparison.
    enum class Kind { Text, Question, Tries, Comparison } kind = Kind::Text;
    bool operator==(const LessonPage&) const = default;
};

inline constexpr int kWordsOfPage = 40;

// Of at most so many words each, cut at ends of sentences where that goes. Two Chinese characters count as a
// word.
QStringList pagesOfText(const QString& text, int most_words = kWordsOfPage);
double wordsOf(const QString& text);

// Never empty while there is a lesson. Nothing of a later step is in them.
std::vector<LessonPage> lessonPages(const LessonWalk& walk);

}  // namespace bscope::ui
