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

// A set of runs to make after the reveal.
struct LessonTry {
    QString title;
    QString after;  // what they show, filled with their numbers; "" when nothing is said
};

// What became of a typed estimate.
struct LessonEstimate {
    bool right = false;
    QString words;  // the estimate beside the run's number
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
    QString before;             // instead of `look` while runs are covered; "" when none is
    QString title, story, look, question, reveal, follow_up, interview;
    std::vector<LessonChoice> choices;
    std::optional<LessonComparison> comparison;
    QString number_unit = {};  // of an estimate
    bool asks_number = false;  // the answer is typed instead of chosen
    std::vector<LessonTry> tries;
    QString tune = {};    // of the button that opens the Tune view with the lesson's sweep; "": there is none
    bool contradicted = false;  // the runs do not show it: `reveal` says why, and they can be made again
    int minutes = 0;      // that it takes; 0: not said
    QString builds_on;    // "Builds on lesson 2, ..."; "" on none
    QString references;   // what to read
    QString source;       // where the numbers come from: "numbers of each run's median iteration"
    QString settling = {};  // how much has run, while not all has; numbers still change then
};

enum class LessonMark { None, Right, Wrong };  // what the first guess was

// One line of the list of lessons.
struct LessonEntry {
    QString id, title, summary;
    LessonMark mark = LessonMark::None;
    int number = 0;               // in the book, from 1
    QString level = {};           // chapter; "" under none
    int minutes = 0;              // that it takes; 0: not said
    std::vector<int> after = {};  // numbers of lessons that it builds on
    QString remark = {};          // instead of the words of `mark`
};

// A week of a path, or all of it.
struct LessonPathPart {
    QString title;
    std::vector<int> numbers;  // of entries
    QStringList notes = {};    // what else belongs to it: homework, what to read
};

// An order in which to take some of the lessons.
struct LessonPath {
    QString id, name, about;
    std::vector<LessonPathPart> parts;
};

}  // namespace bscope::ui
