// A path of Qt as cairo's current one.
#pragma once

#include <cairo.h>

#include <QPainterPath>

namespace bscope::ui {

// After what is there already. A part that ends where it began is closed, so that its corners are joined.
inline void trace(cairo_t* on, const QPainterPath& path) {
    QPointF first, last;
    int steps = 0;
    const auto close = [&] {
        if (steps > 1 && first == last) cairo_close_path(on);
        steps = 0;
    };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& at = path.elementAt(i);
        switch (at.type) {
            case QPainterPath::MoveToElement:
                close();
                cairo_move_to(on, at.x, at.y);
                first = at;
                break;
            case QPainterPath::LineToElement:
                cairo_line_to(on, at.x, at.y);
                ++steps;
                break;
            case QPainterPath::CurveToElement: {
                const QPainterPath::Element &second = path.elementAt(i + 1), &end = path.elementAt(i + 2);
                cairo_curve_to(on, at.x, at.y, second.x, second.y, end.x, end.y);
                i += 2;
                ++steps;
                break;
            }
            case QPainterPath::CurveToDataElement:  // taken with its first point
                break;
        }
        last = path.elementAt(i);
    }
    close();
}

}  // namespace bscope::ui
