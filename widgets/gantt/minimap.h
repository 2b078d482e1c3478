// Minimap: the whole iteration in a strip under the lanes, with a frame around what is seen of it. Dragging
// the frame moves what is seen, dragging its edges zooms, a press beside it goes there. Shown while less than
// the whole is seen; its time axis stands exactly under that of the canvas. Window thread only.
#pragma once

#include <QPixmap>
#include <QWidget>

#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

class Minimap : public QWidget, public Themed {
    Q_OBJECT
public:
    Minimap(GanttView& canvas, ViewState& state, QWidget* parent = nullptr);
    void followTheme() override;
    void sync();           // the canvas shows something else
    QRectF frame() const;  // around what is seen
    QRectF strip() const;  // where the iteration is drawn

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    enum class Grip { None, Frame, Left, Right };
    Grip gripAt(double x) const;
    void moveTo(double x);
    double timeAt(double x) const;
    void paintPicture();
    void retranslate();

    GanttView& canvas_;
    ViewState& state_;
    QPixmap picture_;  // null: to be painted
    Grip grip_ = Grip::None;
    double grabbed_ns_ = 0;  // of the press
    TimeRange grabbed_range_;
};

}  // namespace bscope::ui
