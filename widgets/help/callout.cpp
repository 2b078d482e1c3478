#include "widgets/help/callout.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr int kArrow = 9, kDistance = 3, kWidth = 300;

}  // namespace

Callout::Callout(QWidget* parent)
    : QFrame(parent),
      title_(new Label(TextRole::Head, this)),
      text_(makeParagraph(TextRole::Body, this)),
      count_(new Label(TextRole::Faint, this)),
      next_(new Button(ButtonLook::Primary, Glyph::None, this)),
      close_(new Button(ButtonLook::Quiet, Glyph::None, this)) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(title_);
    column->addWidget(text_);
    auto* row = new QHBoxLayout;
    row->addWidget(count_);
    row->addStretch(1);
    row->addWidget(close_);
    row->addWidget(next_);
    column->addLayout(row);
    connect(next_, &QAbstractButton::clicked, this, &Callout::nextClicked);
    connect(close_, &QAbstractButton::clicked, this, &Callout::closed);
    retranslate();
    followTheme();
    hide();
}

void Callout::followTheme() {
    const Theme& theme = currentTheme();
    const int margin = theme.px(12) + theme.px(kArrow);
    layout()->setContentsMargins(margin, margin, margin, margin);
    layout()->setSpacing(theme.px(6));
    for (Button* button : {next_, close_}) button->setDesignHeight(26);
    update();
}

void Callout::setText(const QString& title, const QString& text, int number, int of) {
    number_ = number;
    of_ = of;
    title_->setText(title);
    text_->setText(text);
    setAccessibleName(title);
    setAccessibleDescription(text);
    retranslate();
}

void Callout::retranslate() {
    count_->setText(tr("%1 of %2").arg(number_).arg(of_));
    next_->setText(number_ < of_ ? tr("Next") : tr("Done"));
    close_->setText(tr("Close"));
    close_->setVisible(number_ < of_);
}

QRect Callout::placeAt(Side side, const QSize& size) const {
    const QRect room = parentWidget()->rect();
    const int distance = currentTheme().px(kDistance);
    QRect place(QPoint(0, 0), size);
    place.moveCenter(target_.center());
    switch (side) {
        case Side::Below:
            place.moveTop(target_.bottom() + 1 + distance);
            break;
        case Side::Above:
            place.moveBottom(target_.top() - 1 - distance);
            break;
        case Side::Right:
            place.moveLeft(target_.right() + 1 + distance);
            break;
        case Side::Left:
            place.moveRight(target_.left() - 1 - distance);
            break;
    }
    // Along the target it gives way to the window's edge.
    if (side == Side::Below || side == Side::Above)
        place.moveLeft(std::clamp(place.left(), 0, std::max(0, room.width() - size.width())));
    else
        place.moveTop(std::clamp(place.top(), 0, std::max(0, room.height() - size.height())));
    return place;
}

bool Callout::pointAt(const QRect& target) {
    target_ = target;
    const int width = currentTheme().px(kWidth) + 2 * currentTheme().px(kArrow);
    layout()->activate();
    const QSize size(width, layout()->totalHeightForWidth(width));
    for (const Side side : {Side::Below, Side::Above, Side::Right, Side::Left}) {
        const QRect place = placeAt(side, size);
        if (!parentWidget()->rect().contains(place)) continue;
        side_ = side;
        setGeometry(place);
        show();
        raise();
        update();
        return true;
    }
    hide();
    return false;
}

void Callout::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    const int arrow = theme.px(kArrow);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(arrow, arrow, -arrow, -arrow);
    QPainterPath path;
    path.addRoundedRect(box, theme.px(4), theme.px(4));
    const QPointF at = mapFromParent(target_.center());
    const double x = std::clamp(at.x(), box.left() + 2.0 * arrow, box.right() - 2.0 * arrow);
    const double y = std::clamp(at.y(), box.top() + 2.0 * arrow, box.bottom() - 2.0 * arrow);
    QPolygonF head;
    switch (side_) {
        case Side::Below:
            head << QPointF(x - arrow, box.top()) << QPointF(x, 0.0) << QPointF(x + arrow, box.top());
            break;
        case Side::Above:
            head << QPointF(x - arrow, box.bottom()) << QPointF(x, height())
                 << QPointF(x + arrow, box.bottom());
            break;
        case Side::Right:
            head << QPointF(box.left(), y - arrow) << QPointF(0.0, y) << QPointF(box.left(), y + arrow);
            break;
        case Side::Left:
            head << QPointF(box.right(), y - arrow) << QPointF(width(), y) << QPointF(box.right(), y + arrow);
            break;
    }
    QPainterPath point;
    point.addPolygon(head);
    point.closeSubpath();
    painter.setPen(QPen(theme.accent, 1.5 * theme.line()));
    painter.setBrush(theme.panel);
    painter.drawPath(path.united(point));
}

void Callout::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return closed();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return nextClicked();
    QFrame::keyPressEvent(event);
}

void Callout::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

}  // namespace bscope::ui
