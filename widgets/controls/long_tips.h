// LongTips: a tip that is too wide for one line is shown in several, where Qt would show one as wide as the
// screen. Of widgets, and of the cells and heads of tables; texts with markup are left to Qt. For all
// windows.
#pragma once

#include <QObject>

namespace bscope::ui {

class LongTips : public QObject {
public:
    explicit LongTips(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace bscope::ui
