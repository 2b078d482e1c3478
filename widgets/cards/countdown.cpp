#include "widgets/cards/countdown.h"

#include <QPainter>
#include <algorithm>

#include "widgets/theme/theme_style.h"

namespace bscope::ui {

Countdown::Countdown(QObject* parent) : QObject(parent) {
    tick_.setInterval(1000);
    connect(&tick_, &QTimer::timeout, this, [this] { pass(1); });
}

void Countdown::setLimit(int limit_s, int used_s) {
    limit_s_ = limit_s;
    used_s_ = used_s;
    emit changed();
}

void Countdown::run(bool on) {
    if (on == running()) return;
    if (on && left_s() > 0)
        tick_.start();
    else
        tick_.stop();
}

void Countdown::pass(int seconds) {
    if (!running()) return;
    used_s_ = std::min(limit_s_, used_s_ + seconds);
    const bool is_over = left_s() == 0;
    if (is_over) tick_.stop();
    emit changed();
    if (is_over) emit over();
}

TimeBar::TimeBar(QWidget* parent) : QWidget(parent) {}

void TimeBar::setShare(double share) {
    if (share == share_) return;
    share_ = share;
    update();
}

QSize TimeBar::sizeHint() const {
    return {currentTheme().px(100), currentTheme().px(3)};
}

void TimeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().hair);
    painter.fillRect(QRectF(0, 0, width() * share_, height()), currentTheme().text_faint);
}

}  // namespace bscope::ui
