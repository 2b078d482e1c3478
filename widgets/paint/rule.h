// A thin level or upright line, painted as the rectangle that it covers: a raster engine draws lines pixel by
// pixel, in several times as long.
#pragma once

#include <QPainter>

namespace bscope::ui {

void drawRule(QPainter& painter, const QLineF& line, double width, const QColor& colour);

}  // namespace bscope::ui
