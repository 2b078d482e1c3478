// BriefNotice: a few words at the foot of a view that go by themselves: what was copied, which colours are
// shown, what was pinned. Takes neither mouse nor keys. Window thread only.
#pragma once

#include <QLabel>
#include <QList>
#include <QTimer>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class BriefNotice : public QLabel, public Themed {
    Q_OBJECT
public:
    explicit BriefNotice(QWidget* parent);
    // Stands at the foot of this part of the parent while it is visible, so that what lies below it, where other
    // things are announced, stays readable; otherwise at the parent's.
    void addView(QWidget* view);
    // Words at the right of the foot, which it leaves uncovered.
    void addWords(QWidget* words);
    void say(const QString& text);
    void followTheme() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  // what it stands on moves

private:
    void place();

    QList<QWidget*> views_, words_;
    QTimer over_;
    int distance_ = 16;
};

}  // namespace bscope::ui
