// LessonData: one lesson as the panel shows it: every text in the language of the window, every placeholder
// already filled with numbers of the runs just made. Plain data, made anew whenever language or runs change.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace bscope::ui {

enum class LessonStep { Look, Guess, Reveal, FollowUp };

struct LessonChoice {
    QString text;
    bool right = false;
    QString why = {};  // which mistake a wrong one is; "" when nothing is said
};

// A small table under the reveal: squares and a number for every row and run ("micro-batches in flight").
struct LessonComparison {
    QString title;
    QStringList columns;  // titles of the runs
    struct Row {
        QString name;             // "Rank 0"
        std::vector<int> values;  // (columns,)
    };
    std::vector<Row> rows;
};

struct LessonData {
    QString id;
    int number = 0, count = 0;  // lesson `number` of `count`
    QString title, story, look, question, reveal, follow_up, interview;
    std::vector<LessonChoice> choices;
    std::optional<LessonComparison> comparison;
    QStringList try_next;  // texts of the try-next buttons
    QString source;        // where the numbers come from: "numbers of each run's quickest iteration"
};

// One line of the list of lessons.
struct LessonEntry {
    QString id, title, summary;
    bool done = false;
};

}  // namespace bscope::ui
