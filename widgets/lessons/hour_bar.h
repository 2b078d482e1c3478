// HourBar: where one stands in the interview hour: its steps as a row of boxes, the clock with its pause, and
// the one next thing to do. Shows what it is given; what is asked for is a signal. Window thread only.
#pragma once

#include <QWidget>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

struct HourFace {
    int steps = 0, done = 0;
    bool begun = false, running = false;  // running: the clock
    int used_s = 0, limit_s = 1;
    QString next;       // "lesson 5"; "" after the last step
    QString title;      // of that lesson
    bool here = false;  // that is what one is at
    int lessons = 0, lessons_right = 0;  // of its lessons, those whose question was answered rightly at once
};

class HourBar : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit HourBar(QWidget* parent = nullptr);
    void setFace(const HourFace& face);
    const HourFace& face() const { return face_; }
    Button* nextButton() const { return next_; }
    Button* pauseButton() const { return pause_; }
    Button* endButton() const { return end_; }
    QString placeText() const { return place_->text(); }
    QString clockText() const { return clock_->text(); }
    void followTheme() override;

signals:
    void nextAsked();
    void pauseAsked();
    void endAsked();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void refresh();

    HourFace face_;
    Label *place_, *clock_, *now_;
    Button *pause_, *end_, *next_;
    QWidget* boxes_;
};

}  // namespace bscope::ui
