#include "widgets/tune/stage_factors.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/focus_ring.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr double kWidestBar = 26, kManySteps = 5;

bool isOurs(const QKeyEvent& event) {
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    const int key = event.key();
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down ||
           key == Qt::Key_PageUp || key == Qt::Key_PageDown || key == Qt::Key_Home;
}

double onStep(double factor) {
    const double steps = std::round(factor / StageFactors::kStep);
    return std::clamp(steps * StageFactors::kStep, StageFactors::kLeast, StageFactors::kMost);
}

}  // namespace

StageFactors::StageFactors(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::SizeVerCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    new FocusRing(this);
}

void StageFactors::setFactors(const std::vector<double>& factors) {
    factors_ = factors;
    choose(std::clamp(current_, 0, std::max(0, static_cast<int>(factors_.size()) - 1)));
    update();
}

QSize StageFactors::sizeHint() const {
    return {currentTheme().px(200), currentTheme().px(96)};
}

QRectF StageFactors::bar(int stage) const {
    const double room = width() / std::max<double>(1, static_cast<double>(factors_.size()));
    const double wide = std::min<double>(room, currentTheme().px(kWidestBar));
    return {wide * stage, 0, wide, static_cast<double>(height())};
}

int StageFactors::stageAt(double x) const {
    const auto stage = static_cast<int>(x / bar(0).width());
    return std::clamp(stage, 0, static_cast<int>(factors_.size()) - 1);
}

void StageFactors::choose(int stage) {
    if (std::exchange(current_, stage) == stage) return;
    update();
    emit currentChanged();
}

void StageFactors::change(double factor, bool goes_on) {
    double& now = factors_[static_cast<std::size_t>(current_)];
    const double wanted = onStep(factor);
    if (wanted == now) return;
    now = wanted;
    update();
    emit edited(goes_on);
}

void StageFactors::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const double line = theme.line(), top = theme.px(4);
    const auto heightOf = [&](double factor) { return (height() - top) * factor / kMost; };
    const double right = factors_.empty() ? 0 : bar(static_cast<int>(factors_.size()) - 1).right();
    painter.fillRect(QRectF(0, top, right, height() - top), theme.hair);
    for (int stage = 0; stage < static_cast<int>(factors_.size()); ++stage) {
        const double tall = heightOf(factors_[static_cast<std::size_t>(stage)]);
        const QRectF room = bar(stage);
        const double gap = room.width() > theme.px(5) ? theme.px(1) : 0;
        painter.fillRect(QRectF(room.left() + gap, height() - tall, room.width() - 2 * gap, tall),
                         stage == current_ ? theme.accent : theme.text_faint);
    }
    QPen once(theme.text, line);  // the common costs
    once.setDashPattern({4, 3});
    painter.setPen(once);
    const double y = std::round(height() - heightOf(1)) + 0.5;
    painter.drawLine(QLineF(0, y, right, y));
}

void StageFactors::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || factors_.empty()) return QWidget::mousePressEvent(event);
    choose(stageAt(event->position().x()));
    drag_ = {true, false, event->position().y(), factors_[static_cast<std::size_t>(current_)]};
}

void StageFactors::mouseMoveEvent(QMouseEvent* event) {
    if (!drag_.held || current_ >= static_cast<int>(factors_.size())) return;
    const double before = factors_[static_cast<std::size_t>(current_)];
    change(drag_.from_factor + (drag_.from_y - event->position().y()) / height() * kMost, drag_.moved);
    drag_.moved = drag_.moved || factors_[static_cast<std::size_t>(current_)] != before;
}

void StageFactors::mouseReleaseEvent(QMouseEvent*) {
    drag_ = {};
}

void StageFactors::mouseDoubleClickEvent(QMouseEvent* event) {
    drag_ = {};
    if (event->button() == Qt::LeftButton && !factors_.empty()) change(1);
}

void StageFactors::keyPressEvent(QKeyEvent* event) {
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
            return change(1);
    }
}

bool StageFactors::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isOurs(static_cast<QKeyEvent&>(*event))) {
        event->accept();  // none of the window's
        return true;
    }
    if (event->type() == QEvent::ToolTip && !factors_.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(),
                           tr("Drag a bar, or choose one with Left and Right and change it with Up and Down; "
                              "Home or a double click: 1. The line is what the fields say."),
                           this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace bscope::ui
