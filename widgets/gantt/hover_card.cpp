#include "widgets/gantt/hover_card.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

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
    setSheet(*this, QStringLiteral("#hoverCard { background: %1; border: 1px solid %2; border-radius: 4px; }"
                                   "QLabel { background: transparent; border: 0; }")
                        .arg(theme.panel.name(), theme.text_faint.name()));
    title_->setFont(theme.font(12, QFont::DemiBold));
    lines_->setFont(theme.font(11.5));
    setSheet(*title_, QStringLiteral("color: %1").arg(theme.text.name()));
    setSheet(*lines_, QStringLiteral("color: %1").arg(theme.text_soft.name()));
    distance_ = theme.px(8);
}

void HoverCard::showBeside(const QRectF& place, const QRectF& lane, const Description& description,
                           const QRect& taken) {
    title_->setText(description.title);
    lines_->setText(description.lines.join(u'\n'));
    lines_->setVisible(!description.lines.isEmpty());
    adjustSize();
    move(placeFor(place, lane, taken));
    show();
    raise();
}

QPoint HoverCard::placeFor(const QRectF& place, const QRectF& lane, const QRect& taken) const {
    const QRect room = parentWidget()->rect().adjusted(4, 4, -4, -4);
    const int least = room.left(), most = std::max(room.left(), room.right() - width());
    const int x = std::clamp(static_cast<int>(place.center().x() - width() / 2.0), least, most);
    const int below = static_cast<int>(place.bottom()) + distance_;
    const int above = static_cast<int>(place.top()) - distance_ - height();
    const int lane_top = static_cast<int>(lane.top()) + 2;
    const int lane_least = std::max(room.top(), lane_top);
    const int in_lane = std::clamp(static_cast<int>(place.center().y()) - height() / 2, lane_least,
                                   std::max(lane_least, static_cast<int>(lane.bottom()) - height()));
    const QPoint right(static_cast<int>(place.right()) + distance_, in_lane);
    const QPoint left(static_cast<int>(place.left()) - distance_ - width(), in_lane);
    const QPoint usual(x, below + height() <= room.bottom() ? below : above);
    std::vector<QPoint> wanted;
    if (below + height() <= lane.bottom()) wanted.push_back(usual);
    wanted.insert(wanted.end(), {right, left, usual, QPoint(x, above)});
    const int right_of_it = taken.right() + distance_, left_of_it = taken.left() - distance_ - width();
    for (const int y : {below, above})
        wanted.insert(wanted.end(), {QPoint(right_of_it, y), QPoint(left_of_it, y)});
    for (const QPoint& corner : wanted) {
        const QRect card(corner, size());
        if (room.contains(card) && !taken.intersects(card) && !card.intersects(place.toAlignedRect()))
            return corner;
    }
    return usual;
}

QString HoverCard::text() const {
    return title_->text() + u'\n' + lines_->text();
}

}  // namespace bscope::ui
