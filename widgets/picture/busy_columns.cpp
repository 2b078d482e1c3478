#include "widgets/picture/busy_columns.h"

#include <QImage>
#include <QPaintEngine>
#include <algorithm>
#include <cmath>
#include <numeric>

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

BusyColumns::Column& BusyColumns::add(double x) {
    if (x > end() + kTouching) paint();
    if (columns_.empty()) left_ = x;
    while (!columns_.empty() && end() > x + kTouching) {  // its share has that of the box there
        columns_.pop_back();
        boxes_.pop_back();
    }
    if (columns_.empty()) left_ = x;
    boxes_.emplace_back();
    return columns_.emplace_back();
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

// Counted and put in order of rows, so that it takes time by columns, not by pixels.
BusyColumns::Changes BusyColumns::changes(int height) const {
    constexpr std::size_t kinds = kStacked.size();
    const std::size_t width = columns_.size();
    std::vector<double> filled(width);  // share of the height
    std::array<bool, kinds> used{true};
    for (std::size_t x = 0; x < width; ++x) {
        filled[x] = boxes_[x] ? 1 : 0;
        for (std::size_t op = 1; op < kinds; ++op) used[op] = used[op] || columns_[x].share[op] > 0;
    }
    Changes changes;
    changes.begins.resize(static_cast<std::size_t>(height) + 2);
    std::array<std::vector<int>, kinds> ends;  // rows below the end of each part
    for (std::size_t op = 0; op < kinds; ++op) {
        if (!used[op]) continue;
        ends[op].resize(width);
        int* const end = ends[op].data();
        for (std::size_t x = 0; x < width; ++x) {
            filled[x] += columns_[x].share[op];
            end[x] = static_cast<int>(std::min(filled[x], 1.0) * height + 0.5);
        }
        for (std::size_t x = 0; x < width; ++x) ++changes.begins[static_cast<std::size_t>(end[x]) + 1];
    }
    std::partial_sum(changes.begins.begin(), changes.begins.end(), changes.begins.begin());
    changes.all.resize(changes.begins.back());
    std::vector<std::size_t> next = changes.begins;
    for (std::size_t op = 0; op < kinds; ++op) {
        if (!used[op]) continue;
        const auto above =
            static_cast<std::size_t>(std::find(used.begin() + op + 1, used.end(), true) - used.begin());
        const QRgb colour = above < kinds ? fills_[above].rgb() : ground_.isValid() ? ground_.rgb() : 0;
        for (std::size_t x = 0; x < width; ++x)
            changes.all[next[static_cast<std::size_t>(ends[op][x])]++] = {static_cast<std::uint32_t>(x),
                                                                          colour};
    }
    return changes;
}

// Row by row from the bottom, in bands of some rows that stay in the cache, since rows of a large picture are
// far apart in memory.
void BusyColumns::paintImage() {
    const auto width = columns_.size();
    const int height = static_cast<int>(std::lround(strip_.height() / column_px_));
    const Changes changes = this->changes(height);
    std::vector<QRgb> row(width, fills_[0].rgb());
    for (std::size_t x = 0; x < width; ++x)
        if (boxes_[x]) row[x] = *boxes_[x];

    const int rows =
        std::clamp(static_cast<int>(kBandBytes / (width * sizeof(QRgb))), 1, std::max(height, 1));
    QImage band(static_cast<int>(width), rows,
                ground_.isValid() ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
    auto* const pixels = reinterpret_cast<QRgb*>(band.bits());
    const auto stride = static_cast<std::size_t>(band.bytesPerLine()) / sizeof(QRgb);
    const double floor = std::round(strip_.bottom() / column_px_) * column_px_;
    bool uniform = false;  // all rows of the band are what the row is now
    for (int below = 0; below < height; below += rows) {
        const int count = std::min(rows, height - below);
        if (!uniform || !changes.ofRows(below, count).empty()) {
            for (int i = 0; i < count; ++i) {
                for (const Changes::Change& change : changes.ofRows(below + i, 1))
                    row[change.x] = change.colour;
                std::ranges::copy(row, pixels + static_cast<std::size_t>(rows - 1 - i) * stride);
            }
            uniform = changes.ofRows(below + 1, count - 1).empty();
        }
        const QRectF target(left_, floor - (below + count) * column_px_,
                            static_cast<double>(width) * column_px_, count * column_px_);
        painter_.drawImage(target, band, QRectF(0, rows - count, static_cast<double>(width), count));
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
