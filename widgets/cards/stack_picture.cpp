#include "widgets/cards/stack_picture.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kMostRows = 6, kRow = 15, kHead = 52, kSums = 30, kText = 17;

int rowsOf(const BubbleStack& stack) {
    return std::min(kMostRows, static_cast<int>(stack.ranks.size()));
}

}  // namespace

StackPicture::StackPicture(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StackPicture::setStack(const std::optional<BubbleStack>& stack) {
    stack_ = stack;
    setAccessibleName(stack ? formulaText() + QStringLiteral(". ") + wordsText() : QString());
    updateGeometry();
    update();
}

QSize StackPicture::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(300), stack_ ? theme.px(rowsOf(*stack_) * kRow + kSums + 2 * kText + 4) : 0};
}

QString StackPicture::formulaText() const {
    if (!stack_) return {};
    return tr("of total: %1 = %2").arg(QString::fromStdString(stack_->formula), shareText(stack_->share()));
}

QString StackPicture::wordsText() const {
    return tr("Idle before, between and after its work: another mix on every rank, the same sum.");
}

void StackPicture::followTheme() {
    updateGeometry();
    update();
}

void StackPicture::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) setStack(stack_);
    QWidget::changeEvent(event);
}

void StackPicture::paintEvent(QPaintEvent*) {
    if (!stack_) return;
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const double head = theme.px(kHead), row = theme.px(kRow);
    const double unit = (width() - head) / (stack_->work_units + stack_->idle_units);
    const double middle = head + stack_->work_units * unit, bottom = rowsOf(*stack_) * row;
    const int rows = rowsOf(*stack_), all = static_cast<int>(stack_->ranks.size());
    for (int i = 0; i < rows; ++i) {
        const int rank = i + 1 == rows ? all - 1 : i;  // the last one is always there
        const bool left_out = rows < all && i + 2 == rows;
        painter.setFont(theme.font(11));
        painter.setPen(theme.text_soft);
        painter.drawText(QRectF(0, i * row, head, row), Qt::AlignVCenter,
                         left_out ? QStringLiteral("…") : rankText(rank, false));
        if (left_out) continue;
        double x = head;
        for (const StackPart& part : stack_->ranks[static_cast<std::size_t>(rank)]) {
            const QRectF box(x, i * row + 1, part.units * unit - theme.line(), row - 2);
            x += part.units * unit;
            if (part.kind == StackPart::Kind::Work) {
                painter.fillRect(box, theme.rule);
                continue;
            }
            // Darker in the order in which they stand on the rank.
            const double tint = part.kind == StackPart::Kind::Before    ? 0.3
                                : part.kind == StackPart::Kind::Between ? 0.55
                                                                        : 0.8;
            painter.fillRect(box, mixed(theme.accent, theme.panel, tint));
        }
    }
    painter.setPen(QPen(theme.text_soft, theme.line()));
    const auto sum = [&](double left, double right, const std::string& text) {
        const double y = bottom + theme.px(4);
        painter.drawLine(QLineF(left, y, right, y));
        for (const double end : {left, right}) painter.drawLine(QLineF(end, y - 3, end, y + 3));
        const QString words = QString::fromStdString(text);
        const double wide = painter.fontMetrics().horizontalAdvance(words);
        const double x = std::clamp((left + right - wide) / 2, 0.0, width() - wide);
        painter.drawText(QPointF(x, y + theme.px(15)), words);
    };
    painter.setFont(theme.font(11));
    sum(head, middle - 2, stack_->work);
    sum(middle, width() - 1, stack_->idle);
    painter.setFont(theme.font(12, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, bottom + theme.px(kSums - 4), width(), theme.px(kText)), Qt::AlignVCenter,
                     formulaText());
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_soft);
    painter.drawText(QRectF(0, bottom + theme.px(kSums - 4 + kText), width(), theme.px(kText)),
                     Qt::AlignVCenter, wordsText());
}

}  // namespace bscope::ui
