// LearningPlace: the side of the Lessons view: lessons, cards, quiz and puzzle beside each other under tabs,
// above them the interview hour, and a lesson that is open instead of the tabs. Window thread only.
#pragma once

#include <QStackedWidget>
#include <array>

#include "widgets/controls/button.h"
#include "widgets/lessons/hour_bar.h"

namespace bscope::ui {

class LearningPlace : public QWidget {
    Q_OBJECT
public:
    enum class Page { Lessons, Cards, Quiz, Puzzle };
    static constexpr int kPages = 4;

    // lessons: the list; lesson: one that is open.
    LearningPlace(QWidget* lessons, QWidget* lesson, QWidget* parent = nullptr);
    void setPage(Page page, QWidget* widget);
    void showPage(Page page);
    void showLesson();
    Page page() const { return static_cast<Page>(tabs_->current()); }
    Segments* tabs() const { return tabs_; }
    HourBar* hour() const { return hour_; }

signals:
    void pageChosen(bscope::ui::LearningPlace::Page page);  // by the user

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();

    HourBar* hour_;
    QWidget* tab_row_;
    Segments* tabs_;
    QStackedWidget* stack_;
    QWidget* lesson_;
    std::array<QWidget*, kPages> pages_{};
};

}  // namespace bscope::ui
