// Painting of the grid: rows, ruler, names, marks. Everything outside the visible steps and rows is skipped.
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/schedule/step_grid.h"

namespace bscope::ui {
namespace {

constexpr double kDimmedFill = 0.45, kLeastLine = 7;

// 1, 2, 5, 10, ... steps between two labels that need so much room.
int stride(double cell_width, double room) {
    int step = 1;
    for (const int factor : {1, 2, 5})
        if (factor * cell_width >= room) return factor;
    for (step = 10; step * cell_width < room; step *= 2)
        if (step * 5 / 2 * cell_width >= room && step % 20 == 0) return step * 5 / 2;
    return step;
}

}  // namespace

void StepGrid::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.canvas);
    if (!model_) return;
    const double left = headWidth(), top = rulerHeight();
    const int from = std::max(0, static_cast<int>((left - xOf(0)) / cell_width_));
    const int to =
        std::min(model_->steps + 1, static_cast<int>((viewport()->width() - xOf(0)) / cell_width_) + 1);
    const int from_row = std::max(0, static_cast<int>((top - yOf(0)) / rowHeight()));
    const int to_row = std::min(rows() - 1, static_cast<int>((viewport()->height() - yOf(0)) / rowHeight()));

    painter.save();
    painter.setClipRect(QRectF(left, top, viewport()->width() - left, viewport()->height() - top));
    for (int row = from_row; row <= to_row; ++row) paintRow(painter, row, from, to);
    paintWaits(painter);
    if (mark_ && mark_->row >= from_row && mark_->row <= to_row) {
        const QRectF box = QRectF(cellRect(*mark_)).adjusted(0, 0, -theme.line(), -theme.line());
        if (mark_->index < 0) {
            painter.setPen(QPen(theme.text, 1.2 * theme.line(), Qt::DashLine));
            painter.setBrush(theme.canvas);
            painter.drawRect(box);
        } else {
            paintMark(painter, box, theme.accent);
        }
    }
    if (current_ && (current_->index >= 0 || model_->as_written)) {
        const QRectF cell = QRectF(cellRect(*current_)).adjusted(0, 0, -theme.line(), -theme.line());
        painter.setPen(QPen(hasFocus() ? theme.accent : theme.text, 2 * theme.line()));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell);
    }
    painter.restore();
    paintRuler(painter, from, to);
    paintNames(painter, from_row, to_row);
}

void StepGrid::paintRow(QPainter& painter, int row, int from, int to) const {
    const Theme& theme = currentTheme();
    const auto& cells = model_->rows[static_cast<std::size_t>(row)];
    const double line = theme.line(), high = rowHeight() - line;
    const double end = xOf(model_->steps);
    painter.fillRect(QRectF(xOf(0), yOf(row), end - xOf(0), high), theme.bubble);
    if (cell_width_ >= kLeastLine) {
        painter.setPen(QPen(theme.hair, line));
        for (int step = from; step <= std::min(to, model_->steps); ++step)
            painter.drawLine(QPointF(std::round(xOf(step)) - line / 2, yOf(row)),
                             QPointF(std::round(xOf(step)) - line / 2, yOf(row) + high));
    }
    const std::optional<Action> chosen =
        current_ && current_->index >= 0 ? std::optional(model_->cell(*current_).action) : std::nullopt;
    auto cell =
        std::ranges::partition_point(cells, [from](const GridCell& c) { return c.step + c.length <= from; });
    for (; cell != cells.end() && cell->step <= to; ++cell)
        paintCell(painter, *cell, row,
                  chosen && chosen->stage >= 0 && !model_->sameLife(*chosen, cell->action));
    if (model_->as_written && !model_->missing[static_cast<std::size_t>(row)].empty()) {
        const QRectF box = QRectF(cellRect({row, -1})).adjusted(2, 1.5, -2, -2.5);
        painter.setPen(QPen(theme.text, 1.2 * line, Qt::DashLine));
        painter.setBrush(theme.canvas);
        painter.drawRect(box);
        painter.setFont(theme.font(11, QFont::DemiBold));
        painter.setPen(theme.text);
        painter.drawText(box, Qt::AlignCenter, QStringLiteral("?"));
    }
}

void StepGrid::paintCell(QPainter& painter, const GridCell& cell, int row, bool dimmed) const {
    const Theme& theme = currentTheme();
    const double line = theme.line();
    const double left = std::round(xOf(cell.step)), right = std::round(xOf(cell.step + cell.length));
    const double gap = right - left >= 4 ? line : 0;
    const QRectF box(left, yOf(row), std::max(1.0, right - left - gap), rowHeight() - line);
    const bool known = cell.action.stage >= 0;
    const bool message = known && isCommunication(cell.action.op);
    const QColor full = !known    ? theme.window
                        : message ? mixed(theme.communication, theme.canvas, 0.25)
                                  : theme.fill(cell.action.op, model_->places.of(cell.action.stage));
    const QColor fill = dimmed ? mixed(full, theme.canvas, kDimmedFill) : full;
    painter.fillRect(box, fill);
    const QColor ink = dimmed ? mixed(theme.ink(fill), fill, 0.75) : theme.ink(full);
    if (known && cell.action.op == Op::BackwardWeight)
        painter.fillRect(QRectF(box.left(), box.top() + 2 * theme.scale, box.width(), 1.5 * theme.scale),
                         mixed(ink, fill, 0.75));
    const QString text = label(cell);
    const QFont font = theme.font(11, dimmed ? QFont::Normal : QFont::DemiBold);
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    if (width <= box.width() + 1) {
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(box.adjusted(-2, 0, 2, 0), Qt::AlignCenter, text);
    }
    if (!cell.errors.empty() || !cell.stands.empty()) paintMark(painter, box, theme.text);
}

// Who waits for whom: an arrow from the cell of a rank to that of the other, bent to one side so that the way
// there and the way back are two lines.
void StepGrid::paintWaits(QPainter& painter) const {
    const Theme& theme = currentTheme();
    // Beside the middles, which hold the labels: where the two cells face each other.
    const auto beside = [&](const GridPlace& place, int side) {
        const QRectF cell = cellRect(place);
        const double far = cell.width() / 2 - std::min<double>(theme.px(7), cell.width() / 5);
        return cell.center() + QPointF(side * far, 0);
    };
    for (const auto& [waiting, other] : model_->waits) {
        const QRectF cell = cellRect(waiting), its = cellRect(other);
        const double apart = its.center().x() - cell.center().x();
        const bool is_above = std::abs(apart) < (cell.width() + its.width()) / 4;
        const int side = is_above || apart > 0 ? 1 : -1;
        const QPointF from = beside(waiting, side), to = beside(other, is_above ? side : -side);
        const QLineF straight(from, to);
        if (straight.length() < 1) continue;
        QLineF aside = straight.normalVector();
        aside.setLength(std::max<double>(theme.px(10), straight.length() / 6));
        const QPointF bend = straight.center() + (aside.p2() - aside.p1());
        QPainterPath way(from);
        way.quadTo(bend, to);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.canvas, 4.5 * theme.line(), Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(way);
        painter.setPen(QPen(theme.accent, 2 * theme.line(), Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(way);
        const QLineF back(to, bend);
        QPolygonF head({to});
        for (const double turn : {25.0, -25.0}) {
            QLineF edge = back;
            edge.setLength(theme.px(9));
            edge.setAngle(back.angle() + turn);
            head << edge.p2();
        }
        painter.setPen(QPen(theme.canvas, theme.line()));
        painter.setBrush(theme.accent);
        painter.drawPolygon(head);
    }
}

// A broken cell: heavy frame and a corner, so that it is seen in every palette and without colour.
void StepGrid::paintMark(QPainter& painter, const QRectF& box, const QColor& ink) const {
    const Theme& theme = currentTheme();
    const double width = 2 * theme.line(), side = theme.px(7);
    painter.setPen(QPen(ink, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(width / 2, width / 2, -width / 2, -width / 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    const QPointF corner = box.topRight();
    painter.drawPolygon(QPolygonF({corner, corner - QPointF(side, 0), corner + QPointF(0, side)}));
}

void StepGrid::paintRuler(QPainter& painter, int from, int to) const {
    const Theme& theme = currentTheme();
    painter.fillRect(QRectF(0, 0, viewport()->width(), rulerHeight()), theme.canvas);
    painter.setClipRect(QRectF(headWidth() - theme.px(4), 0, viewport()->width(), rulerHeight()));
    painter.setFont(theme.font(10));
    painter.setPen(theme.text_faint);
    const QFontMetricsF metrics(painter.font());
    const bool table = !model_->times.empty();
    const long widest = table ? std::max(model_->times.front(), model_->times.back()) : model_->steps;
    const int every = stride(cell_width_, metrics.horizontalAdvance(QString::number(widest)) + theme.px(8));
    for (int step = from - from % every; step <= to; step += every) {
        if (step > model_->steps || (table && static_cast<std::size_t>(step) >= model_->times.size())) break;
        // Times name a column, steps the line before it.
        const QString text = QString::number(table ? model_->times[static_cast<std::size_t>(step)]
                                             : model_->as_written ? step + 1
                                                                  : step);
        const double centre = xOf(step) + (model_->as_written ? cell_width_ / 2 : 0);
        const double width = metrics.horizontalAdvance(text);
        painter.drawText(QPointF(centre - width / 2, rulerHeight() - theme.px(5)), text);
    }
    painter.setClipping(false);
}

void StepGrid::paintNames(QPainter& painter, int from_row, int to_row) const {
    const Theme& theme = currentTheme();
    painter.fillRect(QRectF(0, 0, headWidth() - theme.px(4), viewport()->height()), theme.canvas);
    painter.setClipRect(QRectF(0, rulerHeight(), headWidth(), viewport()->height() - rulerHeight()));
    painter.setPen(theme.text);
    for (int row = from_row; row <= to_row; ++row) {
        painter.setFont(theme.font(11.5, current_ && current_->row == row ? QFont::DemiBold : QFont::Medium));
        const QRectF room(theme.px(16), yOf(row), headWidth() - theme.px(26), rowHeight() - theme.line());
        painter.drawText(
            room, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(rowName(row), Qt::ElideRight, static_cast<int>(room.width())));
    }
    painter.setClipping(false);
}

}  // namespace bscope::ui
