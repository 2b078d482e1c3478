// "Setup v  batch 4 · even split · link 0.8 ms"
#include "widgets/bars/setup_button.h"

namespace bscope::ui {

SetupButton::SetupButton(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SetupButton::setSummary(const QString& summary) {
    summary_ = summary;
    setToolTip(summary);
    update();
}

void SetupButton::setSummaryShown(bool on) {
    summary_shown_ = on;
    update();
}

void SetupButton::setLeastTail(int px) {
    if (px == least_tail_) return;
    least_tail_ = px;
    updateGeometry();
}

QRect SetupButton::tail() const {
    return {headWidth(), 0, width() - headWidth(), height()};
}

bool SetupButton::hitButton(const QPoint& at) const {
    const int summary =
        summary_shown_ ? QFontMetrics(currentTheme().font(12)).horizontalAdvance(summary_) : 0;
    return rect().contains(at) && at.x() < headWidth() + summary;
}

void SetupButton::setIllegal(bool on) {
    illegal_ = on;
    update();
}

void SetupButton::followTheme() {
    const Theme& theme = currentTheme();
    setFixedHeight(theme.px(28));
}

int SetupButton::headWidth() const {
    const Theme& theme = currentTheme();
    return QFontMetrics(theme.font(12, QFont::Medium)).horizontalAdvance(text()) + theme.px(6 + 10 + 10);
}

QSize SetupButton::sizeHint() const {
    return {headWidth() + least_tail_, currentTheme().px(28)};
}

void SetupButton::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int head = headWidth();
    if (underMouse() || hasFocus() || isDown()) {
        painter.setPen(hasFocus() ? QPen(theme.accent, 1.2) : QPen(Qt::NoPen));
        painter.setBrush(theme.hair);
        painter.drawRoundedRect(QRectF(0.5, 0.5, head - theme.px(4.0), height() - 1.0), theme.px(4),
                                theme.px(4));
    }
    painter.setFont(theme.font(12, QFont::Medium));
    painter.setPen(theme.text);
    const int text_width = painter.fontMetrics().horizontalAdvance(text());
    painter.drawText(QRect(theme.px(4), 0, text_width + 2, height()), Qt::AlignVCenter, text());
    const double side = theme.px(10);
    const QRectF chevron(theme.px(4) + text_width + theme.px(6), (height() - side) / 2, side, side);
    drawGlyph(painter, Glyph::ChevronDown, chevron, theme.text_soft);
    if (illegal_) {
        painter.setPen(QPen(theme.text, theme.px(2)));
        painter.drawLine(theme.px(4), height() - theme.px(5), theme.px(4) + text_width,
                         height() - theme.px(5));
    }
    if (!summary_shown_) return;
    painter.setFont(theme.font(12));
    painter.setPen(theme.text_faint);
    const QRect room = tail();
    if (room.width() < theme.px(90)) return;  // a few letters say nothing
    painter.drawText(room, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(summary_, Qt::ElideRight, room.width()));
}

}  // namespace bscope::ui
