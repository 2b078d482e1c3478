// Painting of a small table of figures.
#include "widgets/controls/figure_table.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

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

void FigureTable::paintLine(QPainter& painter, const QStringList& cells, double top) const {
    const qsizetype columns = header_.size();
    for (qsizetype column = 0; column < cells.size(); ++column) {
        const auto index = static_cast<std::size_t>(column);
        const double even = columns > 1 ? static_cast<double>(column) / static_cast<double>(columns - 1) : 1;
        double right = width() * (right_edges_.empty()          ? even
                                  : index < right_edges_.size() ? right_edges_[index]
                                                                : 1);
        const bool left_aligned = column == 0 && !first_right_;
        if (left_aligned) right = width();
        const int horizontal = left_aligned ? Qt::AlignLeft : Qt::AlignRight;
        painter.drawText(QRectF(0, top, right, rowHeight()), Qt::AlignVCenter | horizontal, cells[column]);
    }
}

double FigureTable::firstTop() const {
    const Theme& theme = currentTheme();
    return std::round(rowHeight() + theme.px(3)) + theme.px(4);
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

void FigureTable::focusInEvent(QFocusEvent* event) {
    update();
    QWidget::focusInEvent(event);
}

void FigureTable::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
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
        painter.setFont(theme.font(11.5, accent ? QFont::DemiBold : marked ? QFont::Medium : QFont::Normal));
        painter.setPen(accent                               ? theme.accent
                       : row.look == FigureRow::Look::Faint ? theme.text_faint
                                                            : theme.text);
        if (marked) painter.fillRect(QRectF(0, top + 1, theme.px(3), rowHeight() - 2), theme.text);
        painter.save();
        if (marked && !first_right_)
            painter.translate(theme.px(7), 0), paintLine(painter, {row.cells.value(0)}, top);
        painter.restore();
        QStringList cells = row.cells;
        if (marked && !first_right_) cells[0].clear();
        paintLine(painter, cells, top);
        top += rowHeight();
    }
}

}  // namespace bscope::ui
