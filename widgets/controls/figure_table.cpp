// Painting of a small table of figures.
#include "widgets/controls/figure_table.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/controls/long_tips.h"
#include "widgets/controls/section.h"

namespace bscope::ui {

FigureTable::FigureTable(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureTable::setHeader(const QStringList& header, std::vector<double> right_edges) {
    header_ = header;
    right_edges_ = std::move(right_edges);
    update();
}

void FigureTable::setRows(std::vector<FigureRow> rows) {
    rows_ = std::move(rows);
    current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(rows_.size()) - 1));
    QStringList lines;
    for (const FigureRow& row : rows_) lines << row.cells.join(' ');
    setAccessibleName(lines.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize FigureTable::sizeHint() const {
    const Theme& theme = currentTheme();
    const double lines = static_cast<double>(rows_.size()) + 1;
    return {theme.px(252), static_cast<int>(std::lround(rowHeight() * lines)) + theme.px(8)};
}

double FigureTable::rightEdge(qsizetype column) const {
    const auto index = static_cast<std::size_t>(column);
    const qsizetype columns = header_.size();
    const double even = columns > 1 ? static_cast<double>(column) / static_cast<double>(columns - 1) : 1;
    return width() * (right_edges_.empty() ? even : index < right_edges_.size() ? right_edges_[index] : 1);
}

double FigureTable::roomOfFirst(const QStringList& cells, const QFontMetricsF& metrics) const {
    for (qsizetype column = 1; column < cells.size(); ++column)
        if (!cells[column].isEmpty())
            return rightEdge(column) - metrics.horizontalAdvance(cells[column]) - currentTheme().px(6);
    return width();
}

void FigureTable::paintLine(QPainter& painter, const QStringList& cells, double top, double indent) const {
    for (qsizetype column = 0; column < cells.size(); ++column) {
        if (column > 0 || first_right_) {
            painter.drawText(QRectF(0, top, rightEdge(column), rowHeight()),
                             Qt::AlignVCenter | Qt::AlignRight, cells[column]);
            continue;
        }
        const double room = roomOfFirst(cells, QFontMetricsF(painter.font())) - indent;
        painter.drawText(QRectF(indent, top, room, rowHeight()), Qt::AlignVCenter | Qt::AlignLeft,
                         QFontMetricsF(painter.font()).elidedText(cells[column], Qt::ElideMiddle, room));
    }
}

double FigureTable::firstTop() const {
    const Theme& theme = currentTheme();
    return std::round(rowHeight() + theme.px(3)) + theme.px(4);
}

QString FigureTable::wordsAt(const QPoint& at) const {
    const double row = (at.y() - firstTop()) / rowHeight();
    if (row < 0) return header_.join(QStringLiteral(", "));
    return row < static_cast<double>(rows_.size()) ? rows_[static_cast<std::size_t>(row)].cells.value(0)
                                                   : QString();
}

void FigureTable::setChoosable() {
    choosable_ = true;
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void FigureTable::mousePressEvent(QMouseEvent* event) {
    const double row = (event->position().y() - firstTop()) / rowHeight();
    if (!choosable_ || row < 0 || row >= static_cast<double>(rows_.size()))
        return QWidget::mousePressEvent(event);
    current_ = static_cast<int>(row);
    emit rowChosen(current_);
    update();
}

void FigureTable::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(rows_.size()) - 1;
    const int key = event->key();
    if (!choosable_ || last < 0) return QWidget::keyPressEvent(event);
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        current_ = std::clamp(current_ + (key == Qt::Key_Up ? -1 : 1), 0, last);
        update();
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        emit rowChosen(current_);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool FigureTable::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* const help = static_cast<const QHelpEvent*>(event);
    const double at = (help->pos().y() - firstTop()) / rowHeight();
    if (at < 0 || at >= static_cast<double>(rows_.size())) return QWidget::event(event);
    const FigureRow& row = rows_[static_cast<std::size_t>(at)];
    if (!isElided(row)) return QWidget::event(event);
    showTip(help->globalPos(), row.cells.front(), this);
    return true;
}

void FigureTable::focusInEvent(QFocusEvent* event) {
    update();
    QWidget::focusInEvent(event);
}

QFont FigureTable::fontOf(const FigureRow& row) const {
    return currentTheme().font(11.5, row.look == FigureRow::Look::Accent   ? QFont::DemiBold
                                     : row.look == FigureRow::Look::Marked ? QFont::Medium
                                                                           : QFont::Normal);
}

double FigureTable::indentOf(const FigureRow& row) const {
    return row.look == FigureRow::Look::Marked && !first_right_ ? currentTheme().px(7) : 0;
}

bool FigureTable::isElided(const FigureRow& row) const {
    const QFontMetricsF metrics(fontOf(row));
    return !row.cells.isEmpty() && !first_right_ &&
           metrics.horizontalAdvance(row.cells.front()) > roomOfFirst(row.cells, metrics) - indentOf(row);
}

void FigureTable::paintEvent(QPaintEvent*) {
    const Theme theme = inkThemeOf(*this);
    QPainter painter(this);
    painter.setFont(theme.font(11.5));
    painter.setPen(theme.text_faint);
    paintLine(painter, header_, 0);
    painter.fillRect(QRectF(0, firstTop() - theme.px(4), width(), 1), theme.rule);
    double top = firstTop();
    for (const FigureRow& row : rows_) {
        if (hasFocus() && &row == &rows_[static_cast<std::size_t>(current_)])
            painter.fillRect(QRectF(0, top, width(), rowHeight()), theme.accent_tint);
        const bool accent = row.look == FigureRow::Look::Accent, marked = row.look == FigureRow::Look::Marked;
        painter.setFont(fontOf(row));
        painter.setPen(accent                               ? theme.accent
                       : row.look == FigureRow::Look::Faint ? theme.text_faint
                                                            : theme.text);
        if (marked) painter.fillRect(QRectF(0, top + 1, theme.px(3), rowHeight() - 2), theme.text);
        paintLine(painter, row.cells, top, indentOf(row));
        top += rowHeight();
    }
}

}  // namespace bscope::ui
