#include "widgets/picture/lane_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bscope::ui {

namespace {

struct Parts {
    bool bracket = true, communication = true, memory = true;
};

// Least, comfortable, large and greatest heights at 100 %; between them every part grows in the same
// proportion.
constexpr LaneMetrics kTight{12, 0, 30, 1, 8, 1, 24, 2, 3};
constexpr LaneMetrics kComfortable{18, 6, 46, 2, 9, 4, 56, 14, 6};
constexpr LaneMetrics kLarge{18, 6, 56, 2, 10, 4, 72, 20, 6};
constexpr LaneMetrics kGreatest{20, 6, 96, 2, 14, 6, 240, 44, 6};  // few lanes on a large screen
constexpr LaneMetrics kPoster{22, 8, 90, 3, 16, 6, 140, 30, 8};    // a figure with a height to fill
constexpr LaneMetrics kPaper{15, 5, 30, 1, 7, 2, 28, 12, 5};
constexpr double kLeastBox = 28;
constexpr double kLeastStackedBox = 11;  // several runs below each other stay in sight as long as that goes
constexpr double kLeastBoxWithMemory = 16;  // and keep their memory curves down to this
constexpr double kGroupTitle = 36, kLowGroupTitle = 26;
constexpr double kColumnTitle = 52;  // two lines, since a column is narrow
constexpr double kScrollBar = 10;

LaneMetrics without(LaneMetrics m, const Parts& parts) {
    if (!parts.bracket) {
        m.bracket = 0;
        m.ghost = m.ghost_lift;
    }
    if (!parts.communication) m.communication = m.box_gap = 0;
    if (!parts.memory) m.memory = m.communication_gap = 0;
    return m;
}

LaneMetrics mixed(const LaneMetrics& a, const LaneMetrics& b, double t) {
    const auto mix = [t](double x, double y) { return std::round(x + (y - x) * t); };
    LaneMetrics m{mix(a.bracket, b.bracket),
                  mix(a.ghost, b.ghost),
                  mix(a.box, b.box),
                  mix(a.box_gap, b.box_gap),
                  mix(a.communication, b.communication),
                  mix(a.communication_gap, b.communication_gap),
                  mix(a.memory, b.memory),
                  0,
                  mix(a.ghost_lift, b.ghost_lift)};
    m.gap = a.gap + (b.gap - a.gap) * t;
    return m;
}

LaneMetrics scaled(LaneMetrics m, double s) {
    for (double* part : {&m.bracket, &m.ghost, &m.box, &m.box_gap, &m.communication, &m.communication_gap,
                         &m.memory, &m.ghost_lift})
        *part = std::round(*part * s);
    m.gap *= s;
    return m;
}

// Heights for lanes that have pitch px each (at 100 %).
LaneMetrics metricsFor(double pitch, const Parts& parts, LayoutUse use, double least_box) {
    const LaneMetrics tight = without(kTight, parts), comfortable = without(kComfortable, parts),
                      large = without(use == LayoutUse::Figure ? kPoster : kLarge, parts),
                      greatest = without(kGreatest, parts);
    if (pitch < tight.height()) {
        LaneMetrics m = tight;
        m.box = std::max(least_box, std::floor(m.box - (tight.height() - pitch)));
        return m;
    }
    const auto between = [pitch](const LaneMetrics& a, const LaneMetrics& b) {
        return std::clamp((pitch - a.height()) / (b.height() - a.height()), 0.0, 1.0);
    };
    LaneMetrics m = pitch < comfortable.height() ? mixed(tight, comfortable, between(tight, comfortable))
                    : pitch < large.height() || use == LayoutUse::Figure
                        ? mixed(comfortable, large, between(comfortable, large))
                        : mixed(large, greatest, between(large, greatest));
    m.gap = std::clamp(pitch - (m.height() - m.gap), 2.0, 60.0);
    return m;
}

}  // namespace

LaneLayout LaneLayout::make(const LayoutRequest& request) {
    LaneLayout l;
    const double s = request.scale;
    const bool figure = request.use == LayoutUse::Figure;
    l.scale = s;
    l.use = request.use;
    l.stacked = request.lanes.size() > 1;
    l.columns = l.stacked && request.columns ? static_cast<int>(request.lanes.size()) : 1;
    if (l.columns > 1 && figure) l.column_gap = std::round(24 * s);  // on the screen headers have a margin
    l.column_width = l.columns > 1 ? std::floor((request.width - (l.columns - 1) * l.column_gap) / l.columns)
                                   : request.width;
    const bool low_lanes = l.low();
    const int lanes =
        std::max(1, l.columns > 1 ? std::ranges::max(request.lanes)
                                  : std::accumulate(request.lanes.begin(), request.lanes.end(), 0));
    const double titles_below = l.columns > 1 ? 1 : static_cast<double>(request.lanes.size());
    const bool has_rows = !low_lanes && !request.boxes_only;
    Parts parts{has_rows, has_rows, request.memory};

    const double width = l.column_width / s;
    double header = 96, end = 112;
    if (figure) {
        header = width < 480 ? 46 : 52;
        end = width < 480 ? 56 : 84;
    } else if (width < 1100 - 284) {
        header = 64;
        end = low_lanes ? 104 : 76;  // a count beside its words, or lines of their own
    }
    const double more_lines =
        std::accumulate(request.title_lines.begin(), request.title_lines.end(), 0.0,
                        [](double sum, int of_title) { return sum + (of_title - 1) * kTitleLine; });
    const double title = l.stacked ? 0 : 38 + more_lines, ruler = l.stacked ? 32 : 24;
    const double more_below = l.stacked ? more_lines : 0;
    const bool limited = request.height > 0;
    const auto pitchWith = [&](double each_title) {
        return (request.height / s - title - ruler - each_title * titles_below - more_below) / lanes;
    };
    // Of stacked runs, which are compared, and of a figure, which cannot scroll, first the room of the titles
    // gives way, then that of the boxes, then the memory curves.
    const auto tightHeight = [&] { return without(kTight, parts).height(); };
    l.memory_left_out = (low_lanes || figure) && limited && parts.memory &&
                        pitchWith(kLowGroupTitle) < tightHeight() - kTight.box + kLeastBoxWithMemory;
    if (l.memory_left_out) parts.memory = false;
    const bool low = limited && pitchWith(kGroupTitle) < tightHeight();
    const double group_title = !l.stacked      ? 0
                               : l.columns > 1 ? kColumnTitle
                               : low           ? kLowGroupTitle
                                               : kGroupTitle;
    l.first_title_line = (l.stacked ? group_title : title - more_lines) * s;
    const double titles = group_title * titles_below + more_below;
    const double fixed = title + ruler + titles;
    const double least_box = low_lanes || figure ? kLeastStackedBox : kLeastBox;  // a figure cannot scroll

    l.metrics = scaled(request.height > 0
                           ? metricsFor((request.height / s - fixed) / lanes, parts, request.use, least_box)
                           : without(figure ? kPaper : kComfortable, parts),
                       s);
    if (request.height > 0) {  // heights are rounded to pixels: the gap takes up the difference
        const double excess = l.metrics.height() - (request.height - fixed * s) / lanes;
        if (excess > 0 && excess < l.metrics.gap) l.metrics.gap -= excess;
    }
    l.content_height = l.metrics.height() * lanes + titles * s;
    const double height = request.height > 0 ? request.height : (title + ruler) * s + l.content_height;
    l.max_scroll = std::max(0.0, l.content_height - (height - (title + ruler) * s) - 0.5);
    const double bar = l.max_scroll > 0 && !figure ? kScrollBar : 0;
    end += bar;
    l.all = QRectF(0, 0, l.column_width, height);
    l.title = QRectF(0, 0, l.column_width, title * s);
    l.ruler = QRectF(header * s, title * s, l.column_width - (header + end) * s, ruler * s);
    l.view = QRectF(0, l.ruler.bottom(), l.column_width, std::max(0.0, height - l.ruler.bottom()));
    l.plot = QRectF(l.ruler.left(), l.view.top(), std::max(1.0, l.ruler.width()), l.view.height());
    if (bar > 0) l.scroll_bar = QRectF(request.width - bar * s, l.view.top(), bar * s, l.view.height());

    const double first_y = l.view.top() - std::clamp(request.scroll, 0.0, l.max_scroll);
    double y = first_y;
    for (std::size_t g = 0; g < request.lanes.size(); ++g) {
        if (l.columns > 1) y = first_y;
        if (l.stacked) {
            const int lines = g < request.title_lines.size() ? request.title_lines[g] : 1;
            const double own_title = (group_title + (lines - 1) * kTitleLine) * s;
            l.group_titles.emplace_back(0, y, l.column_width, own_title);
            y += own_title;
        }
        std::vector<Lane> group;
        for (int i = 0; i < request.lanes[g]; ++i) {
            const LaneMetrics& m = l.metrics;
            const auto strip = [&l](double top, double h) {
                return QRectF(l.plot.left(), top, l.plot.width(), h);
            };
            Lane lane;
            const double top = std::round(y);
            lane.all = strip(top, m.height());
            lane.bracket = strip(top, m.bracket);
            const double box_top = top + m.bracket + m.ghost;
            lane.ghost_top = box_top - m.ghost_lift;
            lane.box = strip(box_top, m.box);
            lane.communication = strip(lane.box.bottom() + m.box_gap, m.communication);
            lane.memory = strip(lane.communication.bottom() + m.communication_gap, m.memory);
            lane.header = QRectF(0, top, l.plot.left(), m.height());
            lane.end = QRectF(l.plot.right(), top, l.column_width - bar * s - l.plot.right(), m.height());
            group.push_back(lane);
            y += m.height();
        }
        l.groups.push_back(std::move(group));
    }
    return l;
}

int LaneLayout::columnAt(double x) const {
    return columns > 1 ? std::clamp(static_cast<int>(std::floor(x / leftOf(1))), 0, columns - 1) : 0;
}

LaneLayout::Hit LaneLayout::laneAt(double y, int column) const {
    if (y < view.top() || y >= view.bottom()) return {};
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (std::size_t i = 0; i < groups[g].size(); ++i)
            if (columnOf(static_cast<int>(g)) == column && y >= groups[g][i].all.top() &&
                y < groups[g][i].all.bottom())
                return {static_cast<int>(g), static_cast<int>(i)};
    return {};
}

}  // namespace bscope::ui
