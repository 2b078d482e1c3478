// Fonts and inks of the text roles (mock/type table: 30, 19, 15, 12.5, 12, 11.5).
#include "widgets/controls/label.h"

#include <QPainter>

#include "widgets/controls/section.h"
#include "widgets/text/format.h"

namespace bscope::ui {

QFont fontOf(TextRole role, const Theme& theme) {
    switch (role) {
        case TextRole::Big:
        case TextRole::AccentBig:
            return theme.font(30, QFont::DemiBold);
        case TextRole::Figure:
            return theme.font(19, QFont::DemiBold);
        case TextRole::Title:
            return theme.font(15, QFont::DemiBold);
        case TextRole::Head:
            return theme.font(12.5, QFont::DemiBold);
        case TextRole::Strong:
            return theme.font(12, QFont::DemiBold);
        case TextRole::Body:
            return theme.font(12);
        case TextRole::Accent:
            return theme.font(11.5, QFont::Medium);
        case TextRole::Soft:
        case TextRole::Faint:
            break;
    }
    return theme.font(11.5);
}

QColor inkOf(TextRole role, const Theme& theme) {
    switch (role) {
        case TextRole::Soft:
            return theme.text_soft;
        case TextRole::Faint:
            return theme.text_faint;
        case TextRole::Accent:
        case TextRole::AccentBig:
            return theme.accent;
        default:
            return theme.text;
    }
}

Label::Label(TextRole role, QWidget* parent) : QLabel(parent), role_(role) {
    setTextFormat(Qt::PlainText);
    followTheme();
}

void Label::setText(const QString& text) {
    QLabel::setText(unbroken(text));
}

void Label::setRole(TextRole role) {
    if (role == role_) return;
    role_ = role;
    followTheme();
}

void Label::followTheme() {
    const Theme& theme = currentTheme();
    const QFont font = fontOf(role_, theme);
    setFont(font);
    // A sheet of its own, since the chrome's sheet would overrule palette and font; for labels alone, since
    // tool tips take over their widget's sheet.
    const QString sheet =
        QStringLiteral(
            "bscope--ui--Label { background: transparent; color: %1; font-size: %2px; font-weight: %3; }")
            .arg(inkOf(role_, inkThemeOf(*this)).name())
            .arg(font.pixelSize())
            .arg(static_cast<int>(font.weight()));
    setSheet(*this, sheet);
}

void Label::setElided(bool on) {
    elided_ = on;
    updateGeometry();
}

QSize Label::minimumSizeHint() const {
    const QSize full = QLabel::minimumSizeHint();
    return elided_ ? QSize(std::min(full.width(), currentTheme().px(40)), full.height()) : full;
}

void Label::paintEvent(QPaintEvent* event) {
    if (!elided_) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(inkOf(role_, inkThemeOf(*this)));
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

Label* makeParagraph(TextRole role, QWidget* parent) {
    auto* label = new Label(role, parent);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

}  // namespace bscope::ui
