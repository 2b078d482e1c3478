#include "widgets/paint/hatch.h"

#include <algorithm>
#include <cmath>

namespace bscope::ui {

namespace {

// Lines x + slope * y = k * spacing inside the area; slope +1 rises to the right on screen, -1 falls.
void collect(HatchLines& lines, const QRectF& area, double slope, double spacing) {
    const double at_top = slope * area.top(), at_bottom = slope * area.bottom();
    const double least = area.left() + std::min(at_top, at_bottom);
    const double greatest = area.right() + std::max(at_top, at_bottom);
    for (double c = std::ceil(least / spacing) * spacing; c < greatest; c += spacing) {
        // x = c - slope * y, cut to the area's left and right side.
        const double from_x = std::clamp(c - at_top, area.left(), area.right());
        const double to_x = std::clamp(c - at_bottom, area.left(), area.right());
        if (from_x == to_x) continue;
        lines.append({from_x, (c - from_x) * slope, to_x, (c - to_x) * slope});
    }
}

void collectLevel(HatchLines& lines, const QRectF& area, double spacing) {
    for (double y = std::ceil(area.top() / spacing) * spacing; y < area.bottom(); y += spacing)
        lines.append({area.left(), y, area.right(), y});
}

}  // namespace

void collectHatch(HatchLines& lines, const QRectF& area, Hatch hatch, double spacing_px) {
    if (area.width() <= 0 || area.height() <= 0) return;
    if (hatch == Hatch::Rising || hatch == Hatch::Cross) collect(lines, area, 1, spacing_px);
    if (hatch == Hatch::Falling || hatch == Hatch::Cross) collect(lines, area, -1, spacing_px);
    if (hatch == Hatch::Level) collectLevel(lines, area, spacing_px);
}

void drawHatchLines(QPainter& painter, const HatchLines& lines, const HatchStyle& style) {
    if (lines.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(style.colour, style.line_px, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines);
    painter.restore();
}

void drawHatch(QPainter& painter, const QRectF& area, Hatch hatch, const HatchStyle& style) {
    HatchLines lines;
    collectHatch(lines, area, hatch, style.spacing_px);
    drawHatchLines(painter, lines, style);
}

void paintHatch(QPainter& painter, const QRectF& box, const Theme& theme, Hatch hatch) {
    painter.fillRect(box, theme.bubble);
    drawHatch(painter, box, hatch, {theme.bubble_hatch, 7 * theme.scale, 1});
}

}  // namespace bscope::ui
