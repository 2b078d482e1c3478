// What QCustomPlot draws of the canvas: the picture, as one plottable.
#pragma once

#include "widgets/controls/custom_plot.h"
#include "widgets/paint/paint_threads.h"
#include "widgets/picture/picture.h"

namespace bscope::ui {

// Draws a Picture over the whole widget, title and ruler included; never one item a box.
class GanttPlottable : public QCPAbstractPlottable {
    Q_OBJECT
public:
    GanttPlottable(QCPAxis* time, QCPAxis* lanes, const Picture& picture);
    double selectTest(const QPointF& pos, bool only_selectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& in_keys) const override;

protected:
    QRect clipRect() const override;
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void ground(QPainter& painter, const QRegion& but) const;

    const Picture& picture_;
    PaintThreads threads_;
};

}  // namespace bscope::ui
