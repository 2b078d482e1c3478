// AfterPaint: calls something each time after a canvas was painted, which is then what the screen shows.
#pragma once

#include <QEvent>
#include <functional>
#include <utility>

#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class AfterPaint final : public QObject {
public:
    AfterPaint(GanttView& canvas, std::function<void()> painted) : painted_(std::move(painted)) {
        canvas.installEventFilter(this);
    }

private:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) QMetaObject::invokeMethod(this, painted_, Qt::QueuedConnection);
        return false;
    }

    std::function<void()> painted_;
};

}  // namespace bscope::ui
