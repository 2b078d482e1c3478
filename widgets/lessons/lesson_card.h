// LessonCard: a line of a list: number, title, what it is about, and a mark when it was done. Window thread
// only.
#pragma once

#include <QAbstractButton>

#include "widgets/lessons/lesson_data.h"

namespace bscope::ui {

class LessonCard : public QAbstractButton {
public:
    LessonCard(LessonEntry entry, QWidget* parent);
    const QString& id() const { return entry_.id; }
    int minutes() const { return entry_.minutes; }
    QString markText() const;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent*) override { updateGeometry(); }
    void paintEvent(QPaintEvent*) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    QString placeText() const;
    QRect titleRect() const;
    bool markStandsBelow() const { return !placeText().isEmpty(); }  // else beside the title

    LessonEntry entry_;
};

}  // namespace bscope::ui
