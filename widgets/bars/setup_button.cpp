// "Setup v  batch 4 · even split · link 0.8 ms"
#include "widgets/bars/setup_button.h"

namespace bscope::ui {

SetupButton::SetupButton(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void SetupButton::setSummary(const QString& summary) {
    summary_ = summary;
    setToolTip(summary);
    updateGeometry();
    update();
}

void SetupButton::setSummaryShown(bool on) {
    summary_shown_ = on;
    updateGeometry();
    update();
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
    const Theme& theme = currentTheme();
    const int tail =
        summary_shown_ ? QFontMetrics(theme.font(12)).horizontalAdvance(summary_) + theme.px(4) : 0;
    return {headWidth() + tail, theme.px(28)};
}

QSize SetupButton::minimumSizeHint() const {
    const Theme& theme = currentTheme();
    const int full = sizeHint().width();  // a summary of a few letters says nothing
    return {std::min(full, headWidth() + (summary_shown_ ? theme.px(120) : 0)), theme.px(28)};
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
    const QRect room(head, 0, width() - head, height());
    if (room.width() < theme.px(40)) return;
    painter.drawText(room, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(summary_, Qt::ElideRight, room.width()));
}

}  // namespace bscope::ui
