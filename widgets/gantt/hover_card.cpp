#include "widgets/gantt/hover_card.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/theme/theme_style.h"

namespace bscope::ui {

HoverCard::HoverCard(QWidget* parent) : QFrame(parent), title_(new QLabel(this)), lines_(new QLabel(this)) {
    setObjectName(QStringLiteral("hoverCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 7, 10, 8);
    column->setSpacing(3);
    column->addWidget(title_);
    column->addWidget(lines_);
    for (QLabel* label : {title_, lines_}) label->setTextFormat(Qt::PlainText);
    hide();
}

void HoverCard::followTheme() {
    const Theme& theme = currentTheme();
    setStyleSheet(QStringLiteral("#hoverCard { background: %1; border: 1px solid %2; border-radius: 4px; }"
                                 "QLabel { background: transparent; border: 0; }")
                      .arg(theme.panel.name(), theme.text_faint.name()));
    title_->setFont(theme.font(12, QFont::DemiBold));
    lines_->setFont(theme.font(11.5));
    title_->setStyleSheet(QStringLiteral("color: %1").arg(theme.text.name()));
    lines_->setStyleSheet(QStringLiteral("color: %1").arg(theme.text_soft.name()));
    distance_ = theme.px(8);
}

void HoverCard::showBeside(const QRectF& place, const Description& description, const QRect& taken) {
    title_->setText(description.title);
    lines_->setText(description.lines.join(u'\n'));
    lines_->setVisible(!description.lines.isEmpty());
    adjustSize();
    move(placeFor(place, taken));
    show();
    raise();
}

QPoint HoverCard::placeFor(const QRectF& place, const QRect& taken) const {
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    const int least = room.left(), most = std::max(room.left(), room.right() - width());
    const int x = std::clamp(static_cast<int>(place.center().x() - width() / 2.0), least, most);
    const int below = static_cast<int>(place.bottom()) + distance_;
    const int above = static_cast<int>(place.top()) - distance_ - height();
    const QPoint usual(x, below + height() <= room.bottom() ? below : above);
    if (!taken.intersects({usual, size()})) return usual;
    const int right_of_it = taken.right() + distance_, left_of_it = taken.left() - distance_ - width();
    for (const QPoint& other : {QPoint(x, above), QPoint(right_of_it, below), QPoint(left_of_it, below),
                                QPoint(right_of_it, above), QPoint(left_of_it, above)})
        if (room.contains({other, size()}) && !taken.intersects({other, size()})) return other;
    return usual;
}

QString HoverCard::text() const {
    return title_->text() + u'\n' + lines_->text();
}

}  // namespace bscope::ui
