// BriefNotice: a few words at the foot of a view that go by themselves: what was copied, which colours are
// shown, what was pinned. Takes neither mouse nor keys. Window thread only.
#pragma once

#include <QLabel>
#include <QTimer>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class BriefNotice : public QLabel, public Themed {
    Q_OBJECT
public:
    explicit BriefNotice(QWidget* parent);
    void say(const QString& text);
    void followTheme() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  // the parent's size

private:
    void place();

    QTimer over_;
    int distance_ = 16;
};

}  // namespace bscope::ui
