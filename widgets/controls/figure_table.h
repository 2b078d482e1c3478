// FigureTable: a small table of figures: first column left, the others right aligned, one row may be marked.
// Where rows lead somewhere they are chosen by a click, or by arrows and Enter.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "widgets/controls/themed.h"

namespace bscope::ui {

struct FigureRow {
    enum class Look { Normal, Marked, Accent, Faint };
    QStringList cells;
    Look look = Look::Normal;
};

class FigureTable : public QWidget {
    Q_OBJECT
public:
    explicit FigureTable(QWidget* parent = nullptr);
    // right_edges: right edge of each column but the first, as shares of the width; empty = evenly.
    void setHeader(const QStringList& header, std::vector<double> right_edges = {});
    void setRows(std::vector<FigureRow> rows);
    const QStringList& header() const { return header_; }
    const std::vector<FigureRow>& rows() const { return rows_; }
    void setChoosable();
    void setFirstRightAligned(bool on) { first_right_ = on; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void rowChosen(int row);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintLine(QPainter& painter, const QStringList& cells, double top) const;
    double rowHeight() const { return 16.5 * currentTheme().scale; }
    double firstTop() const;

    QStringList header_;
    std::vector<double> right_edges_;
    std::vector<FigureRow> rows_;
    bool first_right_ = false, choosable_ = false;
    int current_ = 0;  // of the keyboard
};

}  // namespace bscope::ui
