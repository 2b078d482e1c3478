// StepGrid: the textbook picture: a row a rank, a column a step, rank 0 on top. Selecting a cell selects it
// in the shared ViewState, and what is selected elsewhere is outlined and scrolled to here. Paints what is
// visible only, so its cost does not depend on p, m or the number of steps. Window thread only.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

#include "widgets/controls/themed.h"
#include "widgets/data/view_state.h"
#include "widgets/schedule/grid_model.h"

namespace bscope::ui {

class StepGrid : public QAbstractScrollArea, public Themed {
    Q_OBJECT
public:
    explicit StepGrid(ViewState& state, QWidget* parent = nullptr);

    // linked: its cells are the boxes of the shown iteration; otherwise a file is looked at by itself.
    void setModel(std::shared_ptr<const GridModel> model, bool linked);
    const GridModel* model() const { return model_.get(); }
    // The iteration its boxes belong to, and that iteration's first micro-batch where they count on (endless
    // streams).
    void setIteration(std::int32_t iteration, int first_microbatch = 0) {
        iteration_ = iteration;
        first_microbatch_ = first_microbatch;
    }
    void followTheme() override;

    // A cell that is outlined as other than expected, and why; nullopt: none is. Index -1: what is missing at
    // the row's end.
    void setMark(std::optional<GridPlace> place, const QString& why);
    std::optional<GridPlace> mark() const { return mark_; }
    void chooseMark() { choose(mark_); }  // as a click on it
    std::optional<GridPlace> current() const { return current_; }
    void select(const GridPlace& place);           // and scrolls to it
    QRect cellRect(const GridPlace& place) const;  // in the viewport
    double cellWidth() const { return cell_width_; }
    void zoom(double factor);
    int heightForRows(int rows) const;
    // Its height is that of its rows, at any scale.
    void setHeightFixedToRows();
    // Rows and columns grow into the room that is there.
    void setFilling(bool on);
    int widthForAll() const;  // at which all columns are in sight, their labels too

signals:
    void cellChosen(const bscope::ui::GridPlace& place);  // by the user
    void left();                                          // Esc: the canvas gets the keys back

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

    // Geometry, in the viewport.
    int rows() const { return model_ ? static_cast<int>(model_->rows.size()) : 0; }
    double xOf(int step) const;
    double yOf(int row) const;
    double rowHeight() const;
    int headWidth() const;
    int rulerHeight() const;
    void scrollTo(const GridPlace& place);

private:
    void choose(std::optional<GridPlace> place);
    void followSelection();
    double leastCell() const;  // wide enough for the widest label
    void measure();
    void followRows();
    void placeBars();
    std::optional<GridPlace> placeAt(const QPoint& at) const;
    std::optional<GridPlace> moved(int key) const;
    QString tip(const QPoint& at) const;
    QString label(const GridCell& cell) const;
    QString rowName(int row) const;
    void paintRuler(QPainter& painter, int from, int to) const;
    void paintRow(QPainter& painter, int row, int from, int to) const;
    void paintCell(QPainter& painter, const GridCell& cell, int row, bool dimmed) const;
    void paintNames(QPainter& painter, int from_row, int to_row) const;
    void paintMark(QPainter& painter, const QRectF& box, const QColor& ink) const;
    void paintWaits(QPainter& painter) const;

    ViewState& state_;
    std::shared_ptr<const GridModel> model_;
    bool linked_ = true;
    std::int32_t iteration_ = -1;
    int first_microbatch_ = 0;
    std::optional<GridPlace> current_, mark_;
    QString mark_why_;
    double zoom_ = 1, cell_width_ = 22;
    bool fills_ = false, has_height_of_rows_ = false;
};

}  // namespace bscope::ui
