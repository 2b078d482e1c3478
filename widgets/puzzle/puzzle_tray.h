// PuzzleTray: the operations that are left to place on one rank, a line each of F, B, I and W. Those that
// would be refused at the caret are pale. A click, Enter, or a drag to the grid places one; an operation of
// the grid that is dragged here is taken away. Window thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "schedule/action.h"
#include "widgets/controls/themed.h"

namespace bscope::ui {

struct TrayChip {
    Action action;
    bool possible = false;
    QString text;  // "F2", with several stages a rank "F2a"
    bool operator==(const TrayChip&) const = default;
};

class PuzzleTray : public QWidget {
    Q_OBJECT
public:
    explicit PuzzleTray(QWidget* parent = nullptr);
    // lines: room for so many kinds of operation.
    void setChips(std::vector<TrayChip> chips, int ranks, int lines);
    const std::vector<TrayChip>& chips() const { return chips_; }
    int current() const { return current_; }
    QRectF chipRect(int chip) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

signals:
    void placeRequested(const bscope::Action& action);
    void removeDropped(const bscope::Action& action);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int chipAt(const QPointF& at) const;
    int rowOf(int chip) const;
    std::vector<Op> operations() const;

    std::vector<TrayChip> chips_;
    int lines_ = 1;
    int ranks_ = 1;  // stages of one rank differ by it: shades of the chunks
    int current_ = 0, pressed_ = -1;
    QPoint pressed_at_;
};

}  // namespace bscope::ui
