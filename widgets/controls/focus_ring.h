// FocusRing: a frame over a large part (the canvas, a side) that Tab has reached; a click there draws none.
// Lives as a child of its part. Window thread only.
#pragma once

#include <QWidget>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class FocusRing : public QWidget {
    Q_OBJECT
public:
    explicit FocusRing(QWidget* part);

protected:
    bool eventFilter(QObject* part, QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
};

}  // namespace bscope::ui
