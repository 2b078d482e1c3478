// Drawing and dragging of stage borders.
#include "widgets/bars/split_editor.h"

#include <QKeyEvent>
#include <QPainter>
#include <cmath>
#include <numeric>

#include "config/run_config.h"

namespace bscope::ui {

SplitEditor::SplitEditor(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SplitEditor::setLayers(std::vector<int> layers_per_stage) {
    layers_ = std::move(layers_per_stage);
    current_ = 0;
    update();
}

void SplitEditor::followTheme() {
    const Theme& theme = currentTheme();
    setFixedHeight(theme.px(28));
}

int SplitEditor::total() const {
    return std::accumulate(layers_.begin(), layers_.end(), 0);
}

double SplitEditor::borderX(std::size_t border) const {
    const auto end = layers_.begin() + static_cast<std::ptrdiff_t>(border) + 1;
    return 1 + (width() - 2.0) * std::accumulate(layers_.begin(), end, 0) / std::max(1, total());
}

int SplitEditor::borderNear(double x) const {
    int nearest = -1;
    double distance = currentTheme().px(8);
    for (std::size_t border = 0; border + 1 < layers_.size(); ++border) {
        if (std::abs(borderX(border) - x) >= distance) continue;
        distance = std::abs(borderX(border) - x);
        nearest = static_cast<int>(border);
    }
    return nearest;
}

bool SplitEditor::moveBorder(std::size_t border, int to_layer) {
    const auto at = layers_.begin() + static_cast<std::ptrdiff_t>(border);
    const int before = std::accumulate(layers_.begin(), at, 0);
    const int both = layers_[border] + layers_[border + 1];
    const int stage = static_cast<int>(border), stages = static_cast<int>(layers_.size());
    const int least = leastLayers(stage, stages), other_least = leastLayers(stage + 1, stages);
    const int left = std::clamp(to_layer - before, least, std::max(least, both - other_least));
    if (left == layers_[border]) return false;
    layers_[border] = left;
    layers_[border + 1] = both - left;
    update();
    emit edited(layers_);
    return true;
}

void SplitEditor::mousePressEvent(QMouseEvent* event) {
    dragged_ = borderNear(event->position().x());
    if (dragged_ >= 0) current_ = static_cast<std::size_t>(dragged_);
    update();
}

void SplitEditor::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    setCursor(dragged_ >= 0 || borderNear(x) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (dragged_ >= 0)
        moveBorder(static_cast<std::size_t>(dragged_),
                   static_cast<int>(std::lround((x - 1) / (width() - 2.0) * total())));
}

void SplitEditor::mouseReleaseEvent(QMouseEvent*) {
    dragged_ = -1;
}

void SplitEditor::keyPressEvent(QKeyEvent* event) {
    const bool borders = layers_.size() > 1;
    const auto at = layers_.begin() + static_cast<std::ptrdiff_t>(current_) + 1;
    const int left = borders ? std::accumulate(layers_.begin(), at, 0) : 0;
    if (borders && event->key() == Qt::Key_Left) {
        moveBorder(current_, left - 1);
    } else if (borders && event->key() == Qt::Key_Right) {
        moveBorder(current_, left + 1);
    } else if (borders && event->key() == Qt::Key_Down) {
        current_ = (current_ + 1) % (layers_.size() - 1);
        update();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void SplitEditor::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.rule, hasFocus() ? 1.5 : 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), theme.px(4), theme.px(4));
    painter.setFont(theme.font(11.5, QFont::Medium));
    double left = 1;
    for (std::size_t stage = 0; stage < layers_.size(); ++stage) {
        const double right = borderX(stage);
        painter.setPen(theme.text);
        if (right - left > theme.px(12))
            painter.drawText(QRectF(left, 0, right - left, height()), Qt::AlignCenter,
                             QString::number(layers_[stage]));
        if (stage + 1 < layers_.size()) {
            const bool current = hasFocus() && stage == current_;
            painter.setPen(QPen(current ? theme.accent : theme.text_faint, current ? 2.5 : 1.5));
            painter.drawLine(QPointF(right, 3), QPointF(right, height() - 3));
        }
        left = right;
    }
}

}  // namespace bscope::ui
