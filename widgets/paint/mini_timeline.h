// MiniTimeline: a whole timeline in a few pixels a rank, for the pending strip and the thumbnails of the
// sweep. Boxes under a pixel wide blend into the exact mix of their colours.
#pragma once

#include <QPainter>

#include "schedule/stage_places.h"
#include "timeline/timeline.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

struct MiniTimelineStyle {
    double row_height = 16, row_gap = 3;
    bool numbers = false;  // micro-batch numbers where they fit
    bool count_from_zero = false;
    int bright_from = 0;  // micro-batches below are dimmed: what is new stands out
    double opacity = 1;   // pale: nothing of this ran
};

// places: of its stages, to shade chunks. time_range_ns: what the box' width stands for, from the timeline's begin.
void paintMiniTimeline(QPainter& painter, const QRectF& box, const Timeline& timeline,
                       const StagePlaces& places, const Theme& theme, double time_range_ns, const MiniTimelineStyle& style);

}  // namespace bscope::ui
