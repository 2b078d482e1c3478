#include "widgets/gantt/canvas_buffer.h"

namespace bscope::ui {

CanvasBuffer::CanvasBuffer(const QSize& size, double device_pixel_ratio)
    : QCPAbstractPaintBuffer(size, device_pixel_ratio) {
    CanvasBuffer::reallocateBuffer();
}

void CanvasBuffer::setGround(const QColor& colour) {
    if (colour == ground_) return;
    ground_ = colour;
    image_.fill(ground_);
}

QCPPainter* CanvasBuffer::startPainting() {
    return new QCPPainter(&image_);
}

// Pixel by pixel: with a ratio of its own the image would be scaled, and rows of it smoothed.
void CanvasBuffer::draw(QCPPainter* painter) const {
    const QImage pixels(image_.constBits(), image_.width(), image_.height(), image_.bytesPerLine(),
                        image_.format());
    painter->save();
    painter->scale(1 / mDevicePixelRatio, 1 / mDevicePixelRatio);
    painter->drawImage(0, 0, pixels);
    painter->restore();
}

void CanvasBuffer::reallocateBuffer() {
    setInvalidated();
    image_ = QImage((mSize * mDevicePixelRatio).expandedTo({1, 1}), QImage::Format_RGB32);
    image_.setDevicePixelRatio(mDevicePixelRatio);
    image_.fill(ground_);
}

}  // namespace bscope::ui
