// LessonWalk: where the user is in a lesson: its step, the guess, the set of tries that is looked at. Until a
// guess is made, or the curtain is opened without one, nothing beyond it can be reached. The panel and the
// presentation show one walk. Window thread only.
#pragma once

#include <QObject>
#include <optional>

#include "widgets/lessons/lesson_data.h"

namespace bscope::ui {

class LessonWalk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // The same id keeps step and guess (new language, new numbers); another one starts at Look.
    void setLesson(const LessonData& lesson);
    const LessonData& lesson() const { return lesson_; }
    LessonStep step() const { return step_; }
    int guess() const { return guess_; }                          // index of the chosen answer, -1 = none
    std::optional<double> estimate() const { return estimate_; }  // that was typed
    bool hasGuessed() const { return guess_ >= 0 || estimate_.has_value(); }
    bool numbersHidden() const { return step_ < LessonStep::Reveal; }
    // Which mistake the guess is, or what became of the estimate; "" when nothing is said, or not yet.
    QString why() const;
    int tried() const { return try_; }
    QString progress() const { return progress_; }
    int mark() const { return mark_; }    // that is lit, of marks(); -1: none
    int marks() const { return marks_; }  // 0: there are none, or not now
    const QString& markWords() const { return mark_words_; }
    // The next step can be taken: a guess was made. What has not run by then is predicted.
    bool canGoOn() const;
    bool canReach(LessonStep step) const;

    void goTo(LessonStep step);  // where it can be reached
    void goOn();                 // Next; on the last step the lesson is finished
    void goBack();
    void openCurtain();  // reveals without a guess, which then is none
    void choose(int index);
    void estimateIs(std::optional<double> estimate);
    // What became of the estimate; once the runs are there.
    void setEstimate(const std::optional<LessonEstimate>& judged);
    // The runs of this set of tries are on the canvas; -1: the lesson's own.
    void setTry(int index);
    void setMark(int mark, int marks, const QString& words);
    // Enter at the reveal: what is marked comes first, then the next step.
    void enter();
    // Runs behind the lesson: "iteration 3 of 12", empty when done.
    void setProgress(const QString& progress);

signals:
    void changed();   // texts, step or guess
    void replaced();  // by another lesson; changed() follows
    void stepChanged(bscope::ui::LessonStep step);
    void guessed(int choice, bool right);
    void finished(const QString& id);
    // Requests, made through the view that shows the lesson.
    void tryRun(int index);
    void again();  // make the lesson's runs once more
    void tune();   // the lesson's sweep
    void nextMark();
    void changeLanguage();
    void leave();  // to the list of all lessons

private:
    LessonData lesson_;
    LessonStep step_ = LessonStep::Look;
    int guess_ = -1, try_ = -1, mark_ = -1, marks_ = 0;
    bool opened_ = false;  // without a guess
    std::optional<double> estimate_;
    std::optional<LessonEstimate> judged_;
    QString progress_, mark_words_;
};

}  // namespace bscope::ui
