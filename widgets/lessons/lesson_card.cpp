#include "widgets/lessons/lesson_card.h"

#include <QPainter>
#include <algorithm>

#include "widgets/lessons/lesson_panel.h"
#include "widgets/text/format.h"

namespace bscope::ui {

LessonCard::LessonCard(LessonEntry entry, QWidget* parent)
    : QAbstractButton(parent), entry_(std::move(entry)) {
    setText(entry_.title);
    setAccessibleDescription(placeText());
    entry_.summary = unbroken(entry_.summary);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

// Of the title: a line, or as many as its words take, with a mark and without one.
QRect LessonCard::titleRect() const {
    const Theme& theme = currentTheme();
    const int room = width() - theme.px(44) - theme.px(12) - (markStandsBelow() ? 0 : theme.px(66));
    const QFontMetrics metrics(theme.font(12.5, QFont::DemiBold));
    const QRect words =
        metrics.boundingRect(QRect(0, 0, std::max(room, 1), 1000), Qt::TextWordWrap, entry_.title);
    return {theme.px(44), theme.px(8), room, std::max(theme.px(20), words.height() + theme.px(2))};
}

QSize LessonCard::sizeHint() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(theme.font(11.5));
    const QRect box = metrics.boundingRect(QRect(0, 0, width() - theme.px(44 + 12), 1000), Qt::TextWordWrap,
                                           entry_.summary);
    return {theme.px(300), titleRect().bottom() + theme.px(2 + 9) + box.height() +
                               (placeText().isEmpty() ? 0 : theme.px(17))};
}

void LessonCard::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus()     ? theme.accent
                        : underMouse() ? theme.text_faint
                                       : theme.rule,
                        hasFocus() ? 1.5 : 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), theme.px(4), theme.px(4));
    painter.setFont(theme.font(15, QFont::DemiBold));
    painter.setPen(theme.text_faint);
    painter.drawText(QRect(0, theme.px(8), theme.px(40), theme.px(20)), Qt::AlignCenter,
                     QString::number(entry_.number));
    const int right = theme.px(12);
    painter.setFont(theme.font(12.5, QFont::DemiBold));
    painter.setPen(theme.text);
    const QRect head = titleRect();
    painter.drawText(head, Qt::AlignVCenter | Qt::TextWordWrap, entry_.title);
    painter.setFont(theme.font(11.5));
    painter.setPen(theme.text_soft);
    painter.drawText(QRect(theme.px(44), head.bottom() + theme.px(2), width() - theme.px(44) - right,
                           height() - head.bottom()),
                     Qt::TextWordWrap, entry_.summary);
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_faint);
    painter.drawText(
        QRect(theme.px(44), height() - theme.px(24), width() - theme.px(44) - right, theme.px(17)),
        Qt::AlignVCenter, placeText());
    if (markText().isEmpty()) return;
    painter.setFont(theme.font(11.5));
    painter.setPen(entry_.mark == LessonMark::Right ? theme.accent : theme.text_soft);
    const QRect line = markStandsBelow() ? QRect(0, height() - theme.px(24), width() - right, theme.px(17))
                                         : QRect(0, theme.px(8), width() - right, theme.px(20));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, markText());
}

QString LessonCard::placeText() const {
    QStringList parts;
    if (entry_.minutes > 0) parts << LessonList::tr("%1 min").arg(entry_.minutes);
    QStringList numbers;
    for (const int number : entry_.after) numbers << QString::number(number);
    if (!numbers.isEmpty()) parts << LessonList::tr("builds on %1").arg(listText(numbers));
    return parts.join(QStringLiteral("  ·  "));
}

QString LessonCard::markText() const {
    if (!entry_.remark.isEmpty()) return entry_.remark;
    switch (entry_.mark) {
        case LessonMark::Right:
            return LessonList::tr("✓ right");
        case LessonMark::Wrong:
            return LessonList::tr("◐ done");
        case LessonMark::None:
            break;
    }
    return {};
}

}  // namespace bscope::ui
