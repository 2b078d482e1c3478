#include "widgets/controls/focus_ring.h"

#include <QFocusEvent>
#include <QPainter>

namespace bscope::ui {

FocusRing::FocusRing(QWidget* part) : QWidget(part) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    part->installEventFilter(this);
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
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const double line = theme.px(1.5), inset = line / 2;
    painter.setPen(QPen(theme.accent, line));
    painter.drawRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset));
}

}  // namespace bscope::ui
