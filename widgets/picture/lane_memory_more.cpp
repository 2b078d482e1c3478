// What else a lane's memory strip can show: weights, gradients, optimizer state and buffers below the
// activations, what the arena has reserved for these, and the activations that the other kinds of
// checkpointing would hold, PREDICTED and dashed.
#include <algorithm>

#include "widgets/paint/text_runs.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/picture/memory_shades.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/format.h"

namespace bscope::ui {

void LanePainter::memoryBands(double right) {
    const double left = picture_.layout.plot.left(), bottom = lane_.memory.bottom();
    const ResidentBytes held = group_.held(rank_);
    const QFont font = theme_.font(9.5);
    double below = 0;
    for (std::size_t band = 0; band < kMemoryBands.size(); ++band) {
        const auto bytes = static_cast<double>(held.*kMemoryBands[band].bytes);
        if (bytes <= 0) continue;
        const double from = picture_.snapped(bottom - heightOf(below));
        const double to = picture_.snapped(bottom - heightOf(below + bytes));
        below += bytes;
        const QRectF area(left, to, right - left, from - to);
        const QColor fill = memoryBandColour(band, theme_);
        painter_.fillRect(area, fill);
        if (area.height() > 2 * picture_.pixel)  // an edge that parts it from the band above
            painter_.fillRect(QRectF(left, to, area.width(), picture_.pixel), theme_.canvas);
        const QString words = memoryBandName(band) + u' ' + bytesText(bytes);
        if (area.height() >= 12 * theme_.scale && textWidth(words, font) + 12 * theme_.scale < area.width())
            drawLeft(painter_, {left + 6 * theme_.scale, area.center().y()}, words, font, theme_.ink(fill));
    }
}

// What the arena has of the device; between this and the curve it is unused.
void LanePainter::reserved(const QPolygonF& live) {
    const std::int64_t bytes = group_.held(rank_).reserved;
    if (bytes <= 0) return;
    const double right = live.back().x();
    const double left = picture_.layout.plot.left();
    const double y = picture_.snapped(memoryY(static_cast<double>(bytes))) - 0.5 * picture_.pixel;
    painter_.setPen(reservedPen(theme_));
    painter_.drawLine(QLineF(left, y, right, y));
    // Its words, at the end, when there is a place above the bands, or above the curve and the numbers on it.
    const QFont font = theme_.font(9.5);
    const QString words = Canvas::tr("reserved %1").arg(bytesText(static_cast<double>(bytes)));
    const double s = theme_.scale, end = std::min(right, picture_.layout.plot.right()) - 6 * s;
    const double from = end - textWidth(words, font);
    double highest = memoryY(0);
    for (const QPointF& point : live)
        if (point.x() >= from) highest = std::min(highest, point.y());
    const double on_curve = highest < memoryY(0) - picture_.pixel ? 12 * s : 0;
    if (highest - y < 13 * s + on_curve || from < left + 6 * s) return;
    drawRight(painter_, {end, y + 7 * s}, words, font, theme_.text_soft);
}

void LanePainter::otherCheckpointing(const CheckpointingPlan& other) {
    if (rank_ >= other.planned->ranks()) return;
    const auto points = ofIteration(other.planned->memory(rank_), group_.view().iteration);
    const QRectF& plot = picture_.layout.plot;
    const double half = 0.5 * picture_.pixel;
    const auto height = [&](std::int64_t live) {
        return picture_.snapped(memoryY(static_cast<double>(live))) - half;
    };
    std::int64_t level = 0;
    bool goes_on = false;  // beyond what is visible
    QPolygonF curve{QPointF(plot.left(), height(0))};
    for (std::size_t i = 0; i < points.size();) {
        const double x = xOf(points[i].time_ns);
        if (x > plot.right()) {
            goes_on = true;
            break;
        }
        // The greatest value of a column of pixels, and what it leaves.
        std::int64_t greatest = points[i].live_bytes, last = greatest;
        const double column = std::floor(x / picture_.pixel) * picture_.pixel;
        for (++i; i < points.size() && xOf(points[i].time_ns) < column + picture_.pixel; ++i) {
            last = points[i].live_bytes;
            greatest = std::max(greatest, last);
        }
        const double at = std::max(x, plot.left());
        if (x < plot.left())
            curve = QPolygonF{QPointF(plot.left(), height(last))};
        else if (greatest != level || last != level) {
            curve << QPointF(at, height(level)) << QPointF(at, height(greatest));
            if (last != greatest) curve << QPointF(at, height(last));
        }
        level = last;
    }
    if (goes_on) curve << QPointF(plot.right(), height(level));
    painter_.setPen(otherCheckpointingPen(other.recompute, theme_));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolyline(curve);
}

}  // namespace bscope::ui
