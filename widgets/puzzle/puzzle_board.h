// PuzzleBoard: the step-by-rank grid as something to build in: a caret between the operations of a rank, the
// critical path underlined, and after a refusal an arrow from what is missing. Operations are dragged here
// from the tray, along their rank, and back to the tray. Emits requests; changes nothing. Window thread
// only.
#pragma once

#include <optional>

#include "puzzle/puzzle_status.h"
#include "widgets/schedule/step_grid.h"

namespace bscope::ui {

// What is dragged is an operation as a text, "2F0".
inline constexpr char kActionFormat[] = "application/x-bubblescope-action";

class PuzzleBoard : public StepGrid {
    Q_OBJECT
public:
    explicit PuzzleBoard(ViewState& state, QWidget* parent = nullptr);

    // The caret stays at its rank, at most at the end.
    void setGrid(const PuzzleGrid& grid, const PuzzleStatus& standing);
    void setRefusal(const std::optional<PuzzleRefusal>& refusal);
    const std::optional<PuzzleRefusal>& refusal() const { return refusal_; }
    // Stands before the operation at `index` of its rank, or at the end.
    GridPlace caret() const { return caret_; }
    void setCaret(const GridPlace& caret);
    QRectF arrowFrom() const { return missingBox(); }  // empty: no arrow is shown

signals:
    void caretMoved();
    void dropped(const bscope::Action& action, int position);  // from the tray, or from elsewhere on the rank
    void moveRequested(int direction);                         // of the operation at the caret: -1, +1
    void removeRequested(int position);                        // on the caret's rank

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    std::optional<GridPlace> insertionAt(const QPoint& at) const;
    std::optional<GridPlace> cellAt(const QPoint& at) const;
    int sizeOf(int row) const;
    void goToRow(int row);
    QRectF missingBox() const;
    QRectF blockedBox() const;
    QRectF boxAt(const GridPlace& place) const;  // at the end: an empty one of a step
    void paintArrow(QPainter& painter) const;

    std::vector<Action> critical_;
    std::vector<int> placement_;
    std::optional<PuzzleRefusal> refusal_;
    GridPlace caret_{0, 0};
    QPoint pressed_;
    std::optional<GridPlace> pressed_cell_;
};

}  // namespace bscope::ui
