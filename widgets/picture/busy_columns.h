// BusyColumns: pixel columns for boxes too narrow to be drawn, each a stack whose heights are exactly the
// share of its time that every operation took, and between them boxes of a few pixels without a label.
// Collected from left to right and painted in one piece: as an image where the painter ends in pixels, as
// rectangles where it ends in vectors.
#pragma once

#include <QPainter>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schedule/action.h"

namespace bscope::ui {

class BusyColumns {
public:
    static constexpr std::array kStacked{Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight,
                                         Op::Recompute};
    struct Column {
        std::array<double, kStacked.size()> share{};  // of the column's time, bottom to top
    };

    // `ground`: colour above the stack, invalid = none.
    BusyColumns(QPainter& painter, const QRectF& strip, double column_px,
                const std::array<QColor, kStacked.size()>& fills, const QColor& ground);
    // An empty column, to be filled before the next one. One that does not touch the last one begins a new
    // piece.
    Column& add(double x);
    // A narrow box in one colour; what a column before it has of its first pixel stays. Only in pixels.
    void addBox(double left, double right, const QColor& colour);
    bool inPixels() const { return pixels_; }
    void paint();

private:
    // Where, from the bottom up, a row of pixels is another than the one below it.
    struct Changes {
        struct Change {
            std::uint32_t x = 0;
            QRgb colour = 0;  // from here up
        };
        std::vector<Change> all;          // row by row; of one column and row the last one counts
        std::vector<std::size_t> begins;  // [row] in `all`
        std::span<const Change> ofRows(int first, int count) const {
            const auto row = begins.begin() + first;
            return std::span(all).subspan(row[0], row[count] - row[0]);
        }
    };

    Changes changes(int height) const;
    double end() const { return left_ + column_px_ * static_cast<double>(columns_.size()); }
    void paintImage();
    void paintBoxes();
    void paintRectangles();

    QPainter& painter_;
    QRectF strip_;
    double column_px_;
    std::array<QColor, kStacked.size()> fills_;
    QColor ground_;
    bool pixels_;
    double left_ = 0;
    std::vector<Column> columns_;
    std::vector<std::optional<QRgb>> boxes_;  // what stands in place of a column
};

}  // namespace bscope::ui
