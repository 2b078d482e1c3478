// InterviewHour: the path of an hour before an interview: its lessons, then its cards, then a quiz, under a
// clock that can be paused. Where one stands and how much time is used are kept with the progress. Window
// thread only.
#pragma once

#include <QObject>

#include "app/lessons/lesson_book.h"
#include "app/lessons/lesson_progress.h"
#include "cards/learning_path.h"
#include "widgets/cards/countdown.h"
#include "widgets/lessons/hour_bar.h"

namespace bscope::ui {

class InterviewHour : public QObject {
    Q_OBJECT
public:
    static constexpr int kHour_s = 3600;
    struct Step {
        enum class Kind { Lesson, Cards, Quiz } kind = Kind::Lesson;
        std::string lesson;  // id
        bool operator==(const Step&) const = default;
    };

    InterviewHour(LessonProgress& progress, const LessonBook& book, QObject* parent = nullptr);
    ~InterviewHour() override;

    const std::vector<Step>& steps() const { return steps_; }
    const std::vector<std::string>& cards() const { return cards_; }
    int done() const { return done_; }
    bool begun() const { return begun_; }
    Countdown& clock() { return clock_; }
    HourFace face(Language language) const;
    QString nextName() const { return begun_ && next() ? nameOf(*next()) : QString(); }  // "": none comes
    QString trouble() const { return trouble_; }  // why where one stands was not kept

    void goOn();  // begins, or begins anew after the last step; asks for the step that is next
    void pauseOrGoOn();
    void end();
    void setAt(const std::optional<Step>& at);  // what one is at, if it is a step at all
    void leave(Step::Kind kind);                // nothing, if that was of this kind
    void finish(const Step& step);              // one step further when it was the next
    void forget();                              // with the rest of the progress

signals:
    void changed();
    void stepAsked(const bscope::ui::InterviewHour::Step& step);

private:
    const Step* next() const;  // null: all are done
    QString nameOf(const Step& step) const;
    void keep();

    LessonProgress& progress_;
    const LessonBook& book_;
    std::vector<Step> steps_;
    std::vector<std::string> cards_;
    Countdown clock_;
    int done_ = 0;
    bool begun_ = false;
    std::optional<Step> at_;
    QString trouble_;
};

}  // namespace bscope::ui
