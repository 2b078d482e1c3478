// WelcomeLine: on the canvas while nothing has run: what the picture is, and the ways in.
#pragma once

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

class WelcomeLine : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit WelcomeLine(QWidget* parent = nullptr);
    Button* openButton() const { return open_; }
    Button* connectButton() const { return connect_; }
    Button* lessonButton() const { return lesson_; }
    void followTheme() override;

signals:
    void openRecordingClicked();
    void connectClicked();
    void firstLessonClicked();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();

    Label* sentence_;
    Button *open_, *connect_, *lesson_;
};

}  // namespace bscope::ui
