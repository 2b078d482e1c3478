// PracticePage: cards, quiz or puzzle as a list beside the lessons: what it is, a button that begins, and a
// line for each card, belief or level. Window thread only.
#pragma once

#include <QScrollArea>

#include "widgets/controls/button.h"
#include "widgets/controls/focus_group.h"
#include "widgets/controls/label.h"
#include "widgets/lessons/lesson_card.h"

class QVBoxLayout;

namespace bscope::ui {

struct PracticeFace {
    QString title, hint, begin, heading;
    std::vector<LessonEntry> entries;
};

class PracticePage : public QScrollArea {
    Q_OBJECT
public:
    explicit PracticePage(QWidget* parent = nullptr);
    void setFace(PracticeFace face);
    Button* beginButton() const { return begin_; }
    LessonCard* card(int index) const { return cards_.at(static_cast<std::size_t>(index)); }
    int count() const { return static_cast<int>(cards_.size()); }
    QString hint() const { return hint_->text(); }

signals:
    void begun();
    void chosen(const QString& id);
    void shown();  // what it says may be old
    void languageChanged();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Label *title_, *hint_, *heading_;
    Button* begin_;
    QVBoxLayout* column_;
    std::vector<LessonCard*> cards_;
    FocusGroup lines_{this};
};

}  // namespace bscope::ui
