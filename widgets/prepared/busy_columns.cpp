#include "widgets/prepared/busy_columns.h"

#include <QImage>
#include <QPaintEngine>
#include <algorithm>
#include <cmath>

namespace bscope::ui {

namespace {

constexpr std::size_t kWorthAnImage = 16;
constexpr double kTouching = 0.01;  // px
constexpr std::size_t kBandBytes = 1 << 16;

}  // namespace

BusyColumns::BusyColumns(QPainter& painter, const QRectF& strip, double column_px,
                         const std::array<QColor, kStacked.size()>& fills, const QColor& ground)
    : painter_(painter),
      strip_(strip),
      column_px_(column_px),
      fills_(fills),
      ground_(ground),
      pixels_(painter.paintEngine()->type() == QPaintEngine::Raster) {}

void BusyColumns::add(double x, const Column& column) {
    if (x > end() + kTouching) paint();
    if (columns_.empty()) left_ = x;
    while (!columns_.empty() && end() > x + kTouching) {  // its share has that of the box there
        columns_.pop_back();
        boxes_.pop_back();
    }
    if (columns_.empty()) left_ = x;
    columns_.push_back(column);
    boxes_.emplace_back();
}

void BusyColumns::addBox(double left, double right, const QColor& colour) {
    if (left > end() + kTouching) paint();
    if (columns_.empty()) left_ = left;
    while (end() < right - kTouching) {
        columns_.emplace_back();
        boxes_.emplace_back(colour.rgb());
    }
}

void BusyColumns::paint() {
    if (columns_.empty()) return;
    const auto boxes = std::ranges::count_if(boxes_, [](const auto& box) { return box.has_value(); });
    const bool worth_an_image = pixels_ && columns_.size() >= kWorthAnImage;
    if (!worth_an_image && boxes == std::ssize(boxes_))
        paintBoxes();
    else if (worth_an_image || boxes > 0)
        paintImage();
    else
        paintRectangles();
    columns_.clear();
    boxes_.clear();
}

// In bands of some rows that stay in the cache, since columns of a large picture are far apart in memory. A
// band that no stack ends in is the one below it again.
void BusyColumns::paintImage() {
    const auto width = columns_.size();
    const int height = static_cast<int>(std::lround(strip_.height() / column_px_));
    constexpr std::size_t kinds = kStacked.size();
    std::array<std::vector<int>, kinds> tops;  // first row of what ends there
    std::vector<QRgb> lowest(width, fills_[0].rgb());
    std::vector<char> ends(static_cast<std::size_t>(height) + 1);
    std::array<bool, kinds> used{};
    for (std::vector<int>& top : tops) top.resize(width);
    for (std::size_t x = 0; x < width; ++x) {
        double filled = boxes_[x] ? 1 : 0;
        if (boxes_[x]) lowest[x] = *boxes_[x];
        for (std::size_t op = 0; op < kinds; ++op) {
            filled += columns_[x].share[op];
            used[op] = used[op] || columns_[x].share[op] > 0;
            tops[op][x] = height - static_cast<int>(std::min(filled, 1.0) * height + 0.5);
            ends[static_cast<std::size_t>(tops[op][x])] = 1;
        }
    }
    const bool opaque = ground_.isValid();
    const QRgb ground = opaque ? ground_.rgb() : 0;
    const auto fillRow = [&](int y, QRgb* row) {
        std::fill_n(row, width, ground);
        for (std::size_t op = kinds - 1; op > 0; --op) {
            if (!used[op]) continue;
            const QRgb colour = fills_[op].rgb();
            const int* const top = tops[op].data();
            for (std::size_t x = 0; x < width; ++x) row[x] = y >= top[x] ? colour : row[x];
        }
        const int* const top = tops[0].data();
        const QRgb* const colour = lowest.data();
        for (std::size_t x = 0; x < width; ++x) row[x] = y >= top[x] ? colour[x] : row[x];
    };

    const int rows =
        std::clamp(static_cast<int>(kBandBytes / (width * sizeof(QRgb))), 1, std::max(height, 1));
    QImage band(static_cast<int>(width), rows,
                opaque ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
    auto* const pixels = reinterpret_cast<QRgb*>(band.bits());
    const auto stride = static_cast<std::size_t>(band.bytesPerLine()) / sizeof(QRgb);
    const auto rowOf = [&](int row) { return pixels + static_cast<std::size_t>(row) * stride; };
    const double floor = std::round(strip_.bottom() / column_px_) * column_px_;
    bool uniform = false;  // all rows of the band are the row below the next one
    for (int bottom = height; bottom > 0; bottom -= rows) {
        const int top = std::max(bottom - rows, 0);
        // Rows top to bottom - 1; a row is another than the one below it where a stack ends in that.
        const auto past = bottom < height ? bottom + 1 : bottom;
        const bool same = std::none_of(ends.begin() + top + 1, ends.begin() + past,
                                       [](char ends_here) { return ends_here != 0; });
        if (!same || !uniform || bottom == height) {
            for (int y = bottom - 1; y >= top; --y) {
                QRgb* const row = rowOf(rows - (bottom - y));
                if (y + 1 < bottom && ends[static_cast<std::size_t>(y) + 1] == 0)
                    std::copy_n(rowOf(rows - (bottom - y) + 1), width, row);
                else
                    fillRow(y, row);
            }
            uniform = std::none_of(ends.begin() + top + 1, ends.begin() + bottom,
                                   [](char ends_here) { return ends_here != 0; });
        }
        const QRectF target(left_, floor - (height - top) * column_px_,
                            static_cast<double>(width) * column_px_, (bottom - top) * column_px_);
        painter_.drawImage(target, band,
                           QRectF(0, rows - (bottom - top), static_cast<double>(width), bottom - top));
    }
}

void BusyColumns::paintBoxes() {
    for (std::size_t x = 0; x < boxes_.size();) {
        const std::size_t first = x;
        while (x < boxes_.size() && boxes_[x] == boxes_[first]) ++x;
        painter_.fillRect(QRectF(left_ + column_px_ * static_cast<double>(first), strip_.top(),
                                 column_px_ * static_cast<double>(x - first), strip_.height()),
                          QColor(*boxes_[first]));
    }
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
