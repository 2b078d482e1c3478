// Hatches as clipped lines, in one global phase so that neighbouring areas continue each other. Never a brush
// pattern: patterns do not scale with the device and end as pictures in SVG and PDF.
#pragma once

#include <QColor>
#include <QLineF>
#include <QList>
#include <QPainter>

#include "widgets/theme/theme.h"

namespace bscope::ui {

enum class Hatch { Rising, Falling, Cross, Level };  // 45°, 135°, both, horizontal

struct HatchStyle {
    QColor colour;
    double spacing_px = 7;  // along x
    double line_px = 1;
};

using HatchLines = QList<QLineF>;

// Many areas of one style are collected and drawn at once.
void collectHatch(HatchLines& lines, const QRectF& area, Hatch hatch, double spacing_px);
void drawHatchLines(QPainter& painter, const HatchLines& lines, const HatchStyle& style);
void drawHatch(QPainter& painter, const QRectF& area, Hatch hatch, const HatchStyle& style);
// A bubble of a panel, ground and lines.
void paintHatch(QPainter& painter, const QRectF& box, const Theme& theme, Hatch hatch);

}  // namespace bscope::ui
