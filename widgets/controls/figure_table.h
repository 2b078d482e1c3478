// FigureTable: a small table of figures: first column left, the others right aligned, one row may be marked.
// A name too long for the room beside its figures is elided and shown in the tooltip.
// Where rows lead somewhere they are chosen by a click, or by arrows and Enter.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "widgets/controls/themed.h"
#include "widgets/controls/words_under.h"

namespace bscope::ui {

struct FigureRow {
    enum class Look { Normal, Marked, Accent, Faint };
    QStringList cells;
    Look look = Look::Normal;
};

class FigureTable : public QWidget, public WordsUnder {
    Q_OBJECT
public:
    explicit FigureTable(QWidget* parent = nullptr);
    // right_edges: right edge of each column but the first, as shares of the width; empty = evenly.
    void setHeader(const QStringList& header, std::vector<double> right_edges = {});
    void setRows(std::vector<FigureRow> rows);
    const QStringList& header() const { return header_; }
    const std::vector<FigureRow>& rows() const { return rows_; }
    // The row's name has less room than it needs.
    bool isElided(const FigureRow& row) const;
    // From the right edge of the column before it.
    double columnWidth(qsizetype column) const { return rightEdge(column) - rightEdge(column - 1); }
    void setChoosable();
    void setFirstRightAligned(bool on) { first_right_ = on; }
    QString wordsAt(const QPoint& at) const override;  // a row's name, or the head
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void rowChosen(int row);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    QFont fontOf(const FigureRow& row) const;
    double indentOf(const FigureRow& row) const;
    double rightEdge(qsizetype column) const;
    // What the figures beside it leave of the width.
    double roomOfFirst(const QStringList& cells, const QFontMetricsF& metrics) const;
    void paintLine(QPainter& painter, const QStringList& cells, double top, double indent = 0) const;
    double rowHeight() const { return 16.5 * currentTheme().scale; }
    double firstTop() const;

    QStringList header_;
    std::vector<double> right_edges_;
    std::vector<FigureRow> rows_;
    bool first_right_ = false, choosable_ = false;
    int current_ = 0;  // of the keyboard
};

}  // namespace bscope::ui
