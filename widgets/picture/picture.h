// Picture: everything one frame of the canvas or one exported figure is drawn from. A value; painting reads
// it only.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "view/life.h"
#include "view/other_run.h"
#include "view/prepared_view.h"
#include "view/range_reading.h"
#include "widgets/data/view_state.h"
#include "widgets/picture/lane_layout.h"
#include "widgets/picture/time_axis.h"
#include "widgets/text/notation.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

// Something that a search found.
struct Mark {
    int rank = 0;
    TimeRange range;  // relative
    bool operator==(const Mark&) const = default;
};

// A note of the user: a flag with its number, on a lane or on the ruler.
struct NoteMark {
    int number = 0;   // from 1, as the list of notes counts
    int rank = -1;    // -1: on the ruler
    TimeRange range;  // relative; of no width: an instant
    QString text;
    bool operator==(const NoteMark&) const = default;
};

struct Picture {
    std::vector<PreparedView> groups;  // one; several below each other or side by side: lessons, a baseline
    Theme theme;
    LaneLayout layout;
    TimeAxis axis;
    Layers layers;
    Notation notation;
    std::optional<Selection> selection;
    std::optional<GapSelection> gap;
    std::size_t selected_group = 0;     // that selection or gap lies in; 0 without one
    std::vector<Reason> chain;          // of the selected gap, from its end back
    std::optional<int> link;            // of it
    std::vector<Reason> critical_path;  // of the first group; empty: not known, or not to be drawn
    std::vector<MicrobatchLife> lives;  // of the selection, one a group; empty without a selection
    std::vector<std::vector<MessageArrow>>
        messages;  // all, one list a group; empty when there are too many to draw
    // Of the measured range, one a group; nullopt: nothing may be said.
    std::vector<std::optional<RangeReading>> readings;
    Filter filter;
    std::vector<Mark> marks;
    std::vector<NoteMark> notes;  // of the first group
    bool boxes_only = false;      // of a figure: operations of micro-batches alone
    bool of_film = false;         // of a figure: one moment among others, none of which is the end
    double title_end = 0;         // px at the right end of the title line that are taken
    bool title_covered = false;   // by what says why something is illegal: no numbers beside it
    QString notice;               // instead of the numbers of the title line
    QString boundary_note;        // at the end of the iteration
    std::optional<EarlierNumbers> last_complete;  // shown while the next iteration runs
    double pixel = 1;  // size of a device pixel; edges are put on multiples of it

    // The division does not wait for x.
    double snapped(double x) const { return std::floor(x * (1 / pixel) + 0.5) * pixel; }
    GroupAxis axisOf(const PreparedView& group) const { return {axis, group.view().axisOrigin_ns()}; }
    double xOf(const PreparedView& group, std::int64_t time_ns) const { return axisOf(group).toPx(time_ns); }
    // Width of a column that stands for boxes too small to be drawn: a device pixel, not finer than half a
    // pixel.
    double column() const { return std::max(pixel, 0.5); }
    double line() const { return theme.line(); }
    // The numbers beside the first group are those of a run before a change.
    bool numbersAreOfOtherRun() const {
        return last_complete && !groups.empty() && groups.front().running() &&
               isOfOtherRun(last_complete->config, groups.front().view().config);
    }
    // Its own; of the first group, while that runs, the report of the last complete iteration.
    std::optional<IterationReport> reportBeside(const PreparedView& group) const {
        const auto& own = group.view().report;
        return own || !last_complete || &group != &groups.front() ? own : last_complete->report;
    }
    bool figure() const { return layout.use == LayoutUse::Figure; }
};

// What follows the pointer; on the overlay only.
struct Cursor {
    std::optional<double> time_ns;        // hair-line, relative
    std::optional<TimeRange> zoom_range;  // being dragged with Alt or the middle button
};

}  // namespace bscope::ui
