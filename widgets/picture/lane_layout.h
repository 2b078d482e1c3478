// LaneLayout: where everything of the canvas stands. A plain value computed from the size, the lanes and the
// theme's scale; no widget. All lanes are equal. Boxes and memory grow with the room between a least and a
// greatest height; below the least the lanes scroll.
#pragma once

#include <QPointF>
#include <QRectF>
#include <vector>

namespace bscope::ui {

enum class LayoutUse { Window, Figure };

constexpr double kTitleLine = 22;  // px at 100 %

struct LayoutRequest {
    double width = 0, height = 0;  // height 0: as high as the lanes need (figure)
    std::vector<int> lanes{4};     // lanes of each group; one group = one iteration
    LayoutUse use = LayoutUse::Window;
    double scale = 1;  // of type and lanes
    bool memory = true;
    bool boxes_only = false;  // no rows for phases and messages
    std::vector<int> title_lines = {};  // of the title of each group; empty: one
    double scroll = 0;                  // px the lanes are scrolled down
    bool columns = false;  // the groups side by side, each with a ruler of its own, not below each other
};

// Heights within one lane, top to bottom; `ghost` is headroom for the outline of the plan.
struct LaneMetrics {
    double bracket = 0, ghost = 0, box = 0, box_gap = 0, communication = 0, communication_gap = 0, memory = 0,
           gap = 0;
    double ghost_lift = 0;  // how far the outline of the plan stands above the box
    double height() const {
        return bracket + ghost + box + box_gap + communication + communication_gap + memory + gap;
    }
};

struct Lane {
    QRectF all, bracket, box, communication, memory;  // as wide as the plot
    QRectF header, end;                               // left and right of the plot, whole height
    double ghost_top = 0;
};

// Of groups side by side every column looks alike: all rectangles but the scroll bar's are those of a column,
// and are drawn as much further to the right as their column stands.
struct LaneLayout {
    double scale = 1;
    LayoutUse use = LayoutUse::Window;
    bool stacked = false;                     // several groups, each with a title of its own
    int columns = 1;                          // as many as groups when they stand side by side
    double column_width = 0, column_gap = 0;  // whole numbers of pixels when there are several
    double first_title_line = 0;              // height of a title of one line; others are kTitleLine higher
    bool memory_left_out = false;             // switched on, but the boxes left no room for it
    QRectF all;
    QRectF title, ruler;               // title: single group only
    QRectF plot;                       // x range of the time axis; y from below the ruler to the bottom
    QRectF view;                       // what the lanes are clipped to, whole width
    QRectF scroll_bar;                 // at its right; empty while all lanes are in sight
    std::vector<QRectF> group_titles;  // stacked only
    std::vector<std::vector<Lane>> groups;
    LaneMetrics metrics;
    double content_height = 0;  // of all groups
    double max_scroll = 0;

    static LaneLayout make(const LayoutRequest& request);
    bool narrow() const { return plot.left() - all.left() < 90 * scale; }  // header: names only
    // Groups below each other, which leave little height for a lane.
    bool low() const { return stacked && columns == 1; }
    int columnOf(int group) const { return columns > 1 ? group : 0; }
    int columnAt(double x) const;  // of the whole picture; beside it, the nearest one
    double leftOf(int column) const { return column * (column_width + column_gap); }
    QPointF inColumn(const QPointF& at) const { return at - QPointF(leftOf(columnAt(at.x())), 0); }
    double width() const { return leftOf(columns - 1) + column_width; }  // of the whole picture
    // Lane at a y in a column, (-1, -1) outside.
    struct Hit {
        int group = -1, lane = -1;
    };
    Hit laneAt(double y, int column = 0) const;
};

}  // namespace bscope::ui
