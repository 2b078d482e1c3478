// The tint of a box whose duration is compared with that of the same operation in the baseline: five steps,
// of which colour is never the only sign: triangles point up where it takes longer, down where shorter, two
// of them beyond 25 %.
#pragma once

#include <QPainter>
#include <cmath>

#include "widgets/theme/theme.h"

namespace bscope::ui {

inline constexpr double kAlikeWithin = 0.05, kMuchFrom = 0.25;

// change: 0.1 = a tenth longer. -2 and 2 from a quarter on, 0 within a twentieth.
inline int changeStep(double change) {
    const double size = std::abs(change);
    const int step = size >= kMuchFrom ? 2 : size >= kAlikeWithin ? 1 : 0;
    return change < 0 ? -step : step;
}

void drawChange(QPainter& painter, const QRectF& area, int step, const Theme& theme);

}  // namespace bscope::ui
