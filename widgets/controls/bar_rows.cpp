// Painting of bar rows.
#include "widgets/controls/bar_rows.h"

#include <QHelpEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/long_tips.h"
#include "widgets/controls/section.h"
#include "widgets/paint/hatch.h"
#include "widgets/paint/text_runs.h"

namespace bscope::ui {

BarRows::BarRows(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BarRows::setRows(std::vector<BarRow> rows) {
    if (rows == rows_) return;
    rows_ = std::move(rows);
    QStringList words;
    for (const BarRow& row : rows_) words << row.name + ' ' + row.value + ' ' + row.remark;
    setAccessibleName(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void BarRows::reserve(int rows) {
    if (std::exchange(least_, rows) != rows) updateGeometry();
}

void BarRows::setColumns(int bar_from, int bar_to, int value_to) {
    bar_from_ = bar_from;
    bar_to_ = bar_to;
    value_to_ = value_to;
}

QSize BarRows::sizeHint() const {
    const auto rows = std::max(rows_.size(), static_cast<std::size_t>(least_));
    return {currentTheme().px(252), static_cast<int>(std::lround(rowHeight() * static_cast<double>(rows)))};
}

namespace {

void paintBar(QPainter& painter, QRectF room, const BarRow& row, const Theme& theme) {
    QRectF bar = room;
    bar.setWidth(std::max(1.0, room.width() * std::min(1.0, row.fraction)));
    const QRectF frame = bar.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setBrush(Qt::NoBrush);
    switch (row.look) {
        case BarLook::Solid:
            painter.fillRect(bar, theme.text);
            return;
        case BarLook::Track:
            painter.fillRect(room, theme.hair);
            painter.fillRect(bar, theme.text == theme.text_faint  ? theme.rule  // of another run
                                  : theme.kind == ThemeKind::Dark ? QColor(0x66717d)
                                                                  : QColor(0x8c97a3));
            return;
        case BarLook::Outline:
            painter.setPen(QPen(theme.text_faint, 1));
            break;
        case BarLook::Dashed:
        case BarLook::PendingDashed: {
            const bool pending = row.look == BarLook::PendingDashed;
            QPen pen(pending ? theme.accent : theme.text, 1);
            pen.setDashPattern({3, 2});
            painter.setPen(pen);
            if (pending) painter.setBrush(theme.accent_tint);
            break;
        }
        case BarLook::Swatch: {  // a sign, not a length
            const QRectF swatch(room.left(), room.top(), theme.px(14), room.height());
            paintHatch(painter, swatch, theme, row.hatch);
            painter.setPen(theme.text_faint);
            painter.drawRect(swatch.adjusted(0.5, 0.5, -0.5, -0.5));
            return;
        }
    }
    painter.drawRect(frame);
}

}  // namespace

QString BarRows::wordsAt(const QPoint& at) const {
    const auto row = static_cast<std::size_t>(std::max(0.0, at.y() / rowHeight()));
    if (row >= rows_.size()) return {};
    return QStringList{rows_[row].name, rows_[row].remark, rows_[row].tip}.join(u' ');
}

void BarRows::paintEvent(QPaintEvent*) {
    const Theme theme = inkThemeOf(*this);
    QPainter painter(this);
    const bool swatches = !rows_.empty() && rows_.front().look == BarLook::Swatch;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const BarRow& row = rows_[i];
        const bool pending = row.look == BarLook::PendingDashed;
        const double top = rowHeight() * static_cast<double>(i);
        const QRectF line(0, top, width(), rowHeight());
        const double bar_height = theme.px(10);
        const QRectF room(swatches ? 0 : theme.px(bar_from_),
                          std::round(top + (rowHeight() - bar_height) / 2),
                          theme.px(bar_to_) - theme.px(bar_from_), bar_height);
        const double middle =
            line.center().y();  // of capitals: names in both scripts and numbers stand on one line
        drawLeft(painter, {static_cast<double>(swatches ? theme.px(22) : 0), middle}, row.name,
                 theme.font(12), pending ? theme.accent : theme.text_soft);
        paintBar(painter, room, row, theme);
        drawRight(painter, {static_cast<double>(theme.px(value_to_)), middle}, row.value,
                  theme.font(12, row.strong ? QFont::DemiBold : QFont::Medium),
                  pending ? theme.accent : theme.text);
        drawRight(painter, {line.right(), middle}, row.remark, theme.font(11.5),
                  pending ? theme.accent : theme.text_faint);
    }
}

bool BarRows::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto row = static_cast<std::size_t>(std::max(0.0, help->pos().y() / rowHeight()));
    if (row < rows_.size() && !rows_[row].tip.isEmpty()) showTip(help->globalPos(), rows_[row].tip, this);
    return true;
}

}  // namespace bscope::ui
