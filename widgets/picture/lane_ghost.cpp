// The plan behind the run: outlines that stand a little above the boxes, so that they are seen also where
// plan and reality agree. What is still to come is dashed, tinted in the operation's colour, with its
// numbers.
#include <QPaintEngine>
#include <algorithm>
#include <cmath>

#include "view/gallop.h"
#include "widgets/picture/lane_painter.h"
#include "widgets/picture/still_to_come.h"

namespace bscope::ui {

namespace {

constexpr double kLeastGhost = 3;
constexpr double kNarrowBox = 10;  // px: of a box on paper, 2.5 mm

}  // namespace

void LanePainter::ghost() {
    const auto events = group_.planned(rank_);
    const bool stacked = picture_.layout.low();
    const StillToCome to_come(group_, rank_);
    const bool complete = group_.hasRun() && !group_.running();
    const bool none_is_wide =
        static_cast<double>(prepared_.longest_planned_ns) * picture_.axis.pxPerNs() < kLeastGhost;
    if (complete && (stacked || none_is_wide)) return;
    std::size_t i = firstVisible(events);
    std::vector<QRectF> outlines;  // open at the bottom; above everything else of the plan
    Gallop gallop;
    while (i < events.size()) {
        const Event& event = events[i];
        const Edges x = edges(event.start_ns, event.end_ns);
        if (rightOfPlot(x.left)) break;
        if (x.width() < kLeastGhost) {
            i = gallop.next(events, i + 1, [next = timeAt(x.left + kLeastGhost)](const Event& e) {
                return e.end_ns <= next;
            });
            if (to_come.holds(event) && !group_.view().blocks)
                painter_.fillRect(QRectF(x.left, lane_.box.top(), kLeastGhost, lane_.box.height()),
                                  faded(fillOf(event), 0.35));
            continue;
        }
        ++i;
        if (to_come.holds(event)) {
            plannedBox(event, edges(to_come.start_ns(event), event.end_ns));
        } else if (event.op != Op::OptimizerStep && picture_.layers.ghost && !stacked) {
            const double half = 0.5 * picture_.pixel;
            const double left = picture_.snapped(x.left) + half, right = picture_.snapped(x.right) - half;
            const double bottom = lane_.box.bottom() - picture_.line();
            const double top = lane_.ghost_top + half;
            outlines.emplace_back(QPointF(left, top), QPointF(right, bottom));
        }
    }
    drawOutlines(outlines);
}

void LanePainter::drawOutlines(const std::vector<QRectF>& outlines) {
    const QColor colour = faded(theme_.text_soft, 0.6);
    // Lines a pixel wide are filled in a fraction of the time.
    if (painter_.paintEngine()->type() == QPaintEngine::Raster && picture_.pixel == 1 &&
        picture_.line() == 1) {
        for (const QRectF& outline : outlines) outlineInPixels(outline, colour);
        return;
    }
    QList<QLineF> lines;
    for (const QRectF& outline : outlines)
        lines << QLineF(outline.bottomLeft(), outline.topLeft())
              << QLineF(outline.topLeft(), outline.topRight())
              << QLineF(outline.topRight(), outline.bottomRight());
    painter_.setPen(QPen(colour, picture_.line()));
    painter_.drawLines(lines);
}

// The pixels of lines along its left, its top and its right side.
void LanePainter::outlineInPixels(const QRectF& sides, const QColor& colour) {
    const QTransform& shift = painter_.worldTransform();
    const double x0 = std::floor(sides.left() + shift.dx()) - shift.dx();
    const double x1 = std::floor(sides.right() + shift.dx()) - shift.dx();
    const double y0 = std::floor(sides.top() + shift.dy()) - shift.dy();
    const double height = std::floor(sides.bottom() + shift.dy()) - shift.dy() - y0 + 1;
    painter_.fillRect(QRectF(x0, y0, 1, height), colour);
    painter_.fillRect(QRectF(x0, y0, x1 - x0 + 1, 1), colour);
    painter_.fillRect(QRectF(x1, y0, 1, height), colour);
}

void LanePainter::plannedBox(const Event& event, const Edges& x, double opacity) {
    if (picture_.boxes_only && !isCompute(event.op)) return;
    const double line = picture_.line();
    const double left = picture_.snapped(x.left), right = picture_.snapped(x.right) - line;
    const QRectF area(left, lane_.box.top(), right - left, lane_.box.height());
    if (area.width() < 2) return;
    const int chunk = group_.chunkLetterOf(event.stage);
    const QColor fill = fillOf(event);
    if (group_.view().blocks) return painter_.fillRect(area, faded(theme_.text_soft, 0.16));
    const bool passes = passesFilter(event);
    const QColor paper = faded(fill, passes ? opacity : 0.04);
    painter_.fillRect(area, paper);
    plannedEdges(area.adjusted(line / 2, line / 2, -line / 2, -line / 2), passes ? 0.75 : 0.25,
                 picture_.figure() && numbers_.usualWidth(event.op, event.stage) < kNarrowBox * theme_.scale);
    if (passes && event.op != Op::Recompute) boxLabel(area, event, chunk, opacity > kPlannedFill ? inkOn(paper) : theme_.text_soft);
}

// Dashed; of a box on paper whose number nearly fills it only above and below, with pale lines at the sides,
// since dashes beside a number read as a part of it.
void LanePainter::plannedEdges(const QRectF& box, double strength, bool tight) {
    QPen pen(faded(theme_.text_soft, strength), picture_.line());
    if (tight) {
        painter_.setPen(QPen(faded(theme_.text_soft, strength / 3), picture_.line() / 2));
        painter_.drawLine(box.topLeft(), box.bottomLeft());
        painter_.drawLine(box.topRight(), box.bottomRight());
    }
    pen.setDashPattern({3, 2});
    pen.setCapStyle(Qt::FlatCap);
    painter_.setPen(pen);
    painter_.setBrush(Qt::NoBrush);
    if (!tight) return painter_.drawRect(box);
    painter_.drawLine(box.topLeft(), box.topRight());
    painter_.drawLine(box.bottomLeft(), box.bottomRight());
}

}  // namespace bscope::ui
