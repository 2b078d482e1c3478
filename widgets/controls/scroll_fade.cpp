#include "widgets/controls/scroll_fade.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

namespace bscope::ui {
namespace {

constexpr int kHeight = 22;  // px at 100 %: a line and what leads to it

}  // namespace

ScrollFade::ScrollFade(QAbstractScrollArea* area, QColor Theme::* ground)
    : QWidget(area), area_(area), ground_(ground) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    area->viewport()->installEventFilter(this);
    connect(area->verticalScrollBar(), &QScrollBar::valueChanged, this, &ScrollFade::place);
    connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, this, &ScrollFade::place);
    place();
}

bool ScrollFade::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) place();
    return QWidget::eventFilter(watched, event);
}

void ScrollFade::place() {
    const QScrollBar* bar = area_->verticalScrollBar();
    const QRect seen(area_->viewport()->mapTo(area_, QPoint(0, 0)), area_->viewport()->size());
    const int height = currentTheme().px(kHeight);
    setGeometry(seen.left(), seen.bottom() + 1 - height, seen.width(), height);
    setVisible(bar->value() < bar->maximum());
    raise();
}

void ScrollFade::paintEvent(QPaintEvent*) {
    QColor ground = currentTheme().*ground_, clear = ground;
    clear.setAlpha(0);
    QLinearGradient fade(0, 0, 0, height());
    fade.setColorAt(0, clear);
    fade.setColorAt(0.7, ground);
    QPainter(this).fillRect(rect(), fade);
}

}  // namespace bscope::ui
