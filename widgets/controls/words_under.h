// WordsUnder: what a part of the window that paints its own words says at a place, so that their terms can be
// explained. Window thread only.
#pragma once

#include <QPoint>
#include <QString>

namespace bscope::ui {

class WordsUnder {
public:
    WordsUnder() = default;
    WordsUnder(const WordsUnder&) = delete;
    WordsUnder& operator=(const WordsUnder&) = delete;
    virtual ~WordsUnder() = default;
    virtual QString wordsAt(const QPoint& at) const = 0;  // in the widget's coordinates; empty: none
};

}  // namespace bscope::ui
