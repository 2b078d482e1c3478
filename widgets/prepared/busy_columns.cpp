#include "widgets/prepared/busy_columns.h"

#include <QImage>
#include <QPaintEngine>
#include <cmath>

namespace bscope::ui {

namespace {

constexpr std::size_t kWorthAnImage = 16;

}  // namespace

BusyColumns::BusyColumns(QPainter& painter, const QRectF& strip, double column_px,
                         const std::array<QColor, kStacked.size()>& fills, const QColor& ground)
    : painter_(painter), strip_(strip), column_px_(column_px), fills_(fills), ground_(ground) {}

void BusyColumns::add(double x, const Column& column) {
    const double expected = left_ + column_px_ * static_cast<double>(columns_.size());
    if (columns_.empty() || std::abs(x - expected) > 0.01) {
        paint();
        left_ = x;
    }
    columns_.push_back(column);
}

void BusyColumns::paint() {
    if (columns_.empty()) return;
    const bool pixels = painter_.paintEngine()->type() == QPaintEngine::Raster;
    if (pixels && columns_.size() >= kWorthAnImage)
        paintImage();
    else
        paintRectangles();
    columns_.clear();
}

void BusyColumns::paintImage() {
    const int width = static_cast<int>(columns_.size()),
              height = static_cast<int>(std::lround(strip_.height() / column_px_));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    const auto stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const QRgb ground = ground_.isValid() ? ground_.rgb() : 0;
    std::array<QRgb, kStacked.size()> colours{};
    for (std::size_t op = 0; op < colours.size(); ++op) colours[op] = fills_[op].rgb();
    for (int x = 0; x < width; ++x) {
        double filled = 0;
        int y = height;  // rows below are painted
        for (std::size_t op = 0; op < colours.size(); ++op) {
            filled += columns_[static_cast<std::size_t>(x)].share[op];
            const int top = height - static_cast<int>(std::min(filled, 1.0) * height + 0.5);
            while (y > top) pixels[--y * stride + x] = colours[op];
        }
        while (y > 0) pixels[--y * stride + x] = ground;
    }
    painter_.drawImage(QRectF(left_, strip_.top(), width * column_px_, strip_.height()), image);
}

void BusyColumns::paintRectangles() {
    const double width = column_px_ * static_cast<double>(columns_.size());
    if (ground_.isValid()) painter_.fillRect(QRectF(left_, strip_.top(), width, strip_.height()), ground_);
    double x = left_;
    for (const Column& column : columns_) {
        double bottom = strip_.bottom();
        for (std::size_t op = 0; op < column.share.size(); ++op) {
            const double height = column.share[op] * strip_.height();
            if (height <= 0) continue;
            painter_.fillRect(QRectF(x, bottom - height, column_px_, height), fills_[op]);
            bottom -= height;
        }
        x += column_px_;
    }
}

}  // namespace bscope::ui
