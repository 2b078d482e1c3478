// CanvasBuffer: what QCustomPlot paints the canvas into and shows. It has no transparency, and a painter of
// the canvas paints all of it, its ground first: a pixmap would be cleared, and then laid over a ground
// number by number.
#pragma once

#include <QImage>

#include "widgets/controls/custom_plot.h"

namespace bscope::ui {

class CanvasBuffer : public QCPAbstractPaintBuffer {
public:
    CanvasBuffer(const QSize& size, double device_pixel_ratio);
    // What is shown until something is painted.
    void setGround(const QColor& colour);

    QCPPainter* startPainting() override;
    void draw(QCPPainter* painter) const override;
    void clear(const QColor&) override {}

protected:
    void reallocateBuffer() override;

private:
    QImage image_;
    QColor ground_ = Qt::white;
};

}  // namespace bscope::ui
