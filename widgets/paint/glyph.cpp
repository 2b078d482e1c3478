// Every glyph on a 10 x 10 grid.
#include "widgets/paint/glyph.h"

#include <QPainterPath>

namespace bscope::ui {
namespace {

QPainterPath polyline(std::initializer_list<QPointF> points) {
    QPainterPath path;
    bool first = true;
    for (const QPointF& point : points) {
        first ? path.moveTo(point) : path.lineTo(point);
        first = false;
    }
    return path;
}

QPainterPath filled(Glyph glyph) {
    QPainterPath path;
    switch (glyph) {
        case Glyph::Run:
            path = polyline({{1.5, 0}, {9.5, 5}, {1.5, 10}});
            path.closeSubpath();
            break;
        case Glyph::Pause:
            path.addRect(0.5, 0, 3.5, 10);
            path.addRect(6.5, 0, 3.5, 10);
            break;
        case Glyph::Step:
            path = polyline({{0, 0}, {7, 5}, {0, 10}});
            path.closeSubpath();
            path.addRect(8.5, 0, 2.5, 10);
            break;
        case Glyph::Timeline:
            path.addRect(0, 0.5, 6, 2.4);
            path.addRect(2, 3.9, 6, 2.4);
            path.addRect(4, 7.3, 6, 2.4);
            break;
        case Glyph::Grid:  // a staircase of boxes
            for (int step = 0; step < 3; ++step) {
                path.addRect(step * 3.5, step * 3.5, 2.8, 2.8);
                if (step < 2) path.addRect((step + 1) * 3.5, step * 3.5, 2.8, 2.8);
            }
            break;
        case Glyph::More:
            for (int dot = 0; dot < 3; ++dot) path.addEllipse(dot * 4.0, 4, 2, 2);
            break;
        default:
            break;
    }
    return path;
}

QPainterPath stroked(Glyph glyph) {
    QPainterPath path;
    switch (glyph) {
        case Glyph::Cancel:
            path = polyline({{1, 1}, {9, 9}});
            path.addPath(polyline({{9, 1}, {1, 9}}));
            break;
        case Glyph::Reconnect:
            path.arcMoveTo(0.8, 0.8, 8.4, 8.4, 40);
            path.arcTo(0.8, 0.8, 8.4, 8.4, 40, 290);
            path.addPath(polyline({{9.6, 0.2}, {8.3, 2.6}, {5.7, 1.8}}));
            break;
        case Glyph::Undo:
            path = polyline({{3.5, 0.5}, {0.8, 3.2}, {3.5, 5.9}});
            path.moveTo(0.8, 3.2);
            path.lineTo(6.4, 3.2);
            path.arcTo(3.6, 3.2, 5.6, 5.6, 90, -180);
            path.lineTo(3.6, 8.8);
            break;
        case Glyph::Redo:
            path = polyline({{6.5, 0.5}, {9.2, 3.2}, {6.5, 5.9}});
            path.moveTo(9.2, 3.2);
            path.lineTo(3.6, 3.2);
            path.arcTo(0.8, 3.2, 5.6, 5.6, 90, 180);
            path.lineTo(6.4, 8.8);
            break;
        case Glyph::Export:
            path = polyline({{5, 0}, {5, 6}});
            path.addPath(polyline({{2.4, 3.6}, {5, 6.2}, {7.6, 3.6}}));
            path.addPath(polyline({{0, 6.5}, {0, 9.5}, {10, 9.5}, {10, 6.5}}));
            break;
        case Glyph::ChevronDown:
            path = polyline({{1.5, 3.2}, {5, 6.7}, {8.5, 3.2}});
            break;
        case Glyph::ChevronUp:
            path = polyline({{1.5, 6.7}, {5, 3.2}, {8.5, 6.7}});
            break;
        case Glyph::ChevronRight:
            path = polyline({{3.2, 1.5}, {6.7, 5}, {3.2, 8.5}});
            break;
        case Glyph::Tune:
            path = polyline({{0, 9.5}, {3, 5}, {6, 2}, {10, 4.5}});
            break;
        case Glyph::Lessons:
            path = polyline({{5, 2}, {5, 9.5}});
            path.addPath(
                polyline({{5, 2}, {0.5, 0.8}, {0.5, 8.3}, {5, 9.5}, {9.5, 8.3}, {9.5, 0.8}, {5, 2}}));
            break;
        case Glyph::Explain:
            path.addEllipse(QRectF(0, 0, 10, 10));
            path.addPath(polyline({{5, 4.6}, {5, 7.4}}));
            path.addPath(polyline({{5, 2.5}, {5, 2.6}}));
            break;
        default:
            break;
    }
    return path;
}

}  // namespace

void drawGlyph(QPainter& painter, Glyph glyph, const QRectF& box, const QColor& ink) {
    if (glyph == Glyph::None) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double unit = box.height() / 10;
    painter.translate(box.center() - QPointF(5, 5) * unit);
    painter.scale(unit, unit);
    painter.fillPath(filled(glyph), ink);
    painter.strokePath(stroked(glyph), QPen(ink, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.restore();
}

}  // namespace bscope::ui
