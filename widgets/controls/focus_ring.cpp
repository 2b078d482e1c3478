#include "widgets/controls/focus_ring.h"

#include <QFocusEvent>
#include <QPainter>

namespace bscope::ui {

FocusRing::FocusRing(QWidget* part) : QWidget(part) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    part->installEventFilter(this);
}

void FocusRing::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

bool FocusRing::eventFilter(QObject* part, QEvent* event) {
    if (event->type() == QEvent::FocusIn) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        setGeometry(parentWidget()->rect());
        raise();
        setVisible(reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason);
    }
    if (event->type() == QEvent::FocusOut) hide();
    if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(part, event);
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const double line = theme_.px(1.5), inset = line / 2;
    painter.setPen(QPen(theme_.accent, line));
    painter.drawRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset));
}

}  // namespace bscope::ui
