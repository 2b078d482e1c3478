// Layout: where the parts of the picture lie, and what lies under a cell. A value; any thread.
#pragma once

#include <optional>

#include "terminal/scene.h"

namespace bscope::terminal {

inline constexpr int kLeastColumns = 40, kLeastRows = 10;

struct Layout {
    int columns = 0, rows = 0;
    int time_x = 0, time_w = 1;  // of the lanes: columns of time
    int end_w = 0;               // behind them: what is said of each lane; 0: nothing
    int ruler_y = 0, lanes_y = 0, lanes_h = 0;
    int lane_h = 1, box_h = 1, memory_h = 0;  // of each lane
    int first_lane = 0, lanes = 0;            // that are visible
    int legend_y = -1;                        // -1: not shown
    int facts_y = -1, facts_h = 0;
    int strip_y = -1, strip_h = 0;  // bars, and a row of words below
    int panel_x = -1;               // -1: not shown; it ends at the right edge

    bool tooSmall() const { return columns < kLeastColumns || rows < kLeastRows; }
    int status_y() const { return rows - 1; }
    // -1: above or below the lanes.
    int laneAt(int row) const;
    int rowOf(int lane) const { return lanes_y + (lane - first_lane) * lane_h; }
    bool isTime(int column) const { return column >= time_x && column < time_x + time_w; }
    double timeAt(int column, const TimeRange& range) const;  // of its middle
    // Left edge of the column that the time rounds to, 0 to time_w.
    int columnOf(double time_ns, const TimeRange& range) const;
};

Layout layoutOf(const Scene& scene, int columns, int rows);
// Which bar of the strip begins it, and how many columns each has.
struct StripPlace {
    std::size_t first = 0;
    int bar_w = 1;
};
StripPlace stripOf(const Scene& scene, const Layout& layout);

}  // namespace bscope::terminal
