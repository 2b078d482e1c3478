#include "widgets/tune/factor_bars.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/focus_ring.h"

namespace bscope::ui {
namespace {

constexpr double kWidestBar = 26, kManySteps = 5;

bool isOurs(const QKeyEvent& event) {
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    const int key = event.key();
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down ||
           key == Qt::Key_PageUp || key == Qt::Key_PageDown || key == Qt::Key_Home;
}

}  // namespace

FactorBars::FactorBars(double least, double home, QWidget* parent)
    : QWidget(parent), least_(least), home_(home) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeVerCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    new FocusRing(this);
}

double FactorBars::onStep(double factor) const {
    return std::clamp(std::round(factor / kStep) * kStep, least_, kMost);
}

void FactorBars::setFactors(const std::vector<double>& factors) {
    factors_ = factors;
    choose(std::clamp(current_, 0, std::max(0, static_cast<int>(factors_.size()) - 1)));
    update();
}

QSize FactorBars::sizeHint() const {
    return {currentTheme().px(200), currentTheme().px(96)};
}

QRectF FactorBars::bar(int index) const {
    const double room = width() / std::max<double>(1, static_cast<double>(factors_.size()));
    const double wide = std::min<double>(room, currentTheme().px(kWidestBar));
    return {wide * index, 0, wide, static_cast<double>(height())};
}

int FactorBars::barAt(double x) const {
    const auto index = static_cast<int>(x / bar(0).width());
    return std::clamp(index, 0, static_cast<int>(factors_.size()) - 1);
}

void FactorBars::choose(int index) {
    if (std::exchange(current_, index) == index) return;
    update();
    emit currentChanged();
}

void FactorBars::change(double factor, bool goes_on) {
    double& now = factors_[static_cast<std::size_t>(current_)];
    const double wanted = onStep(factor);
    if (wanted == now) return;
    now = wanted;
    update();
    emit edited(goes_on);
}

void FactorBars::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const double line = theme.line(), top = theme.px(4);
    const auto heightOf = [&](double factor) { return (height() - top) * factor / kMost; };
    const double right = factors_.empty() ? 0 : bar(static_cast<int>(factors_.size()) - 1).right();
    painter.fillRect(QRectF(0, top, right, height() - top), theme.hair);
    for (int i = 0; i < static_cast<int>(factors_.size()); ++i) {
        const double tall = heightOf(std::min(factors_[static_cast<std::size_t>(i)], kMost));
        const QRectF room = bar(i);
        const double gap = room.width() > theme.px(5) ? theme.px(1) : 0;
        painter.fillRect(QRectF(room.left() + gap, height() - tall, room.width() - 2 * gap, tall),
                         i == current_ ? theme.accent : theme.text_faint);
    }
    QPen once(theme.text, line);  // the common cost
    once.setDashPattern({4, 3});
    painter.setPen(once);
    const double y = std::round(height() - heightOf(1)) + 0.5;
    painter.drawLine(QLineF(0, y, right, y));
}

void FactorBars::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || factors_.empty()) return QWidget::mousePressEvent(event);
    choose(barAt(event->position().x()));
    drag_ = {true, false, event->position().y(), factors_[static_cast<std::size_t>(current_)]};
}

void FactorBars::mouseMoveEvent(QMouseEvent* event) {
    if (!drag_.held || current_ >= static_cast<int>(factors_.size())) return;
    const double before = factors_[static_cast<std::size_t>(current_)];
    change(drag_.from_factor + (drag_.from_y - event->position().y()) / height() * kMost, drag_.moved);
    drag_.moved = drag_.moved || factors_[static_cast<std::size_t>(current_)] != before;
}

void FactorBars::mouseReleaseEvent(QMouseEvent*) {
    drag_ = {};
}

void FactorBars::mouseDoubleClickEvent(QMouseEvent* event) {
    drag_ = {};
    if (event->button() == Qt::LeftButton && !factors_.empty()) change(home_);
}

void FactorBars::keyPressEvent(QKeyEvent* event) {
    if (!isOurs(*event) || factors_.empty()) return QWidget::keyPressEvent(event);
    const double now = factors_[static_cast<std::size_t>(current_)];
    const int last = static_cast<int>(factors_.size()) - 1;
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(std::max(0, current_ - 1));
        case Qt::Key_Right:
            return choose(std::min(last, current_ + 1));
        case Qt::Key_Up:
            return change(now + kStep);
        case Qt::Key_Down:
            return change(now - kStep);
        case Qt::Key_PageUp:
            return change(now + kManySteps * kStep);
        case Qt::Key_PageDown:
            return change(now - kManySteps * kStep);
        default:
            return change(home_);
    }
}

bool FactorBars::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isOurs(static_cast<QKeyEvent&>(*event))) {
        event->accept();  // none of the window's
        return true;
    }
    return QWidget::event(event);
}

}  // namespace bscope::ui
