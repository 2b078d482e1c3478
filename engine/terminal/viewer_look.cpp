// What keys and mouse change of how an iteration is looked at: zoom, selection, layers.
#include <algorithm>

#include "terminal/viewer.h"
#include "view/gap.h"
#include "view/life.h"

namespace bscope::terminal {
namespace {

constexpr double kZoomStep = 1.5, kPanShare = 0.2, kLeastRange_ns = 10;

}  // namespace

void Viewer::point(const Input& input, const Layout& layout) {
    if (input.key == Key::Click) return click(input, layout);
    if (layout.isTime(input.column)) look_.cursor_ns = layout.timeAt(input.column, rangeOf(scene()));
    zoomBy(input.key == Key::WheelUp ? kZoomStep : 1 / kZoomStep);
}

void Viewer::carryOut(Command command, const Layout& layout) {
    const auto step_iteration = [this](int direction) {
        look_.follow = false;
        notices_.clear();
        show(history_.neighbour(look_.iteration, direction));
    };
    const auto follow_dependency = [this](int direction) {
        if (look_.box)
            if (const auto next = dependency(view_, *look_.box, direction)) select(next);
    };
    const auto step_gap = [this](int direction) {
        if (const auto next = gapBySize(view_, look_.gap, direction)) select(next);
    };
    switch (command) {
        case Command::ZoomIn:
            return zoomBy(kZoomStep);
        case Command::ZoomOut:
            return zoomBy(1 / kZoomStep);
        case Command::PanLeft:
            return panBy(-kPanShare);
        case Command::PanRight:
            return panBy(kPanShare);
        case Command::LanesUp:
            return stepLane(-1);
        case Command::LanesDown:
            return stepLane(+1);
        case Command::Whole:
            look_.zooms.push_back(look_.range);
            look_.range.reset();
            return;
        case Command::Focus:
            return focus();
        case Command::UndoZoom:
            if (look_.zooms.empty()) return;
            look_.range = look_.zooms.back();
            look_.zooms.pop_back();
            return;
        case Command::Clear:
            look_.box.reset();
            look_.gap.reset();
            notices_.clear();
            return;
        case Command::PreviousBox:
            return stepBox(-1);
        case Command::NextBox:
            return stepBox(+1);
        case Command::NextGap:
            return step_gap(+1);
        case Command::LargerGap:
            return step_gap(-1);
        case Command::Back:
            return follow_dependency(-1);
        case Command::Forth:
            return follow_dependency(+1);
        case Command::PreviousIteration:
            return step_iteration(-1);
        case Command::NextIteration:
            return step_iteration(+1);
        case Command::Newest:
            return show(history_.newest());
        case Command::Bubbles:
            look_.bubbles = !look_.bubbles;
            return;
        case Command::Memory:
            look_.memory = !look_.memory;
            return;
        case Command::Unit:
            look_.in_forwards = !look_.in_forwards;
            return;
        case Command::Panel:
            look_.panel = layout.panel_x < 0;
            return;
        case Command::Explain:
            shown_ = Shown::Explanation;
            scroll_ = 0;
            return;
        default:
            return;
    }
}

void Viewer::setRange(const TimeRange& range) {
    const TimeRange all = view_.extent();
    const double width = std::clamp(range.width(), kLeastRange_ns, all.width());
    const double from = std::clamp(range.from_ns, all.from_ns, all.to_ns - width);
    if (width >= all.width())
        look_.range.reset();
    else
        look_.range = TimeRange{from, from + width};
}

// The time under the cursor stays where it is.
void Viewer::zoomBy(double factor) {
    const TimeRange range = look_.range.value_or(view_.extent());
    const bool is_visible =
        look_.cursor_ns && *look_.cursor_ns >= range.from_ns && *look_.cursor_ns <= range.to_ns;
    const double at = is_visible ? *look_.cursor_ns : range.from_ns + range.width() / 2;
    look_.zooms.push_back(look_.range);
    setRange({at - (at - range.from_ns) / factor, at + (range.to_ns - at) / factor});
}

void Viewer::panBy(double share) {
    const TimeRange range = look_.range.value_or(view_.extent());
    const double by = share * range.width();
    setRange({range.from_ns + by, range.to_ns + by});
}

// The selected box or gap takes a third of the width.
void Viewer::focus() {
    std::optional<TimeRange> range;
    if (look_.box)
        if (const auto event = eventOf(view_, *look_.box))
            range = {view_.relative(event->start_ns), view_.relative(event->end_ns)};
    if (look_.gap)
        if (const auto period = gapOf(view_, *look_.gap))
            range = {view_.relative(period->start_ns), view_.relative(period->end_ns)};
    if (!range) return;
    look_.zooms.push_back(look_.range);
    setRange({range->from_ns - range->width(), range->to_ns + range->width()});
}

void Viewer::select(const std::optional<Selection>& box) {
    look_.box = box;
    look_.gap.reset();
    notices_.clear();
    reveal();
}

void Viewer::select(const std::optional<GapSelection>& gap) {
    look_.gap = gap;
    look_.box.reset();
    notices_.clear();
    reveal();
}

// Lanes and time move so that the selection is seen; the cursor goes there.
void Viewer::reveal() {
    double from = 0, to = 0;
    int rank = -1;
    if (look_.box)
        if (const auto event = eventOf(view_, *look_.box)) {
            from = view_.relative(event->start_ns);
            to = view_.relative(event->end_ns);
            rank = event->rank;
        }
    if (look_.gap)
        if (const auto period = gapOf(view_, *look_.gap)) {
            from = view_.relative(period->start_ns);
            to = view_.relative(period->end_ns);
            rank = look_.gap->rank;
        }
    if (rank < 0) return;
    look_.cursor_ns = (from + to) / 2;
    if (look_.range && (to < look_.range->from_ns || from > look_.range->to_ns)) {
        const double half = look_.range->width() / 2;
        setRange({*look_.cursor_ns - half, *look_.cursor_ns + half});
    }
    const Layout layout = layoutOf(scene(), columns_, rows_);
    look_.first_lane = std::clamp(layout.first_lane, rank - layout.lanes + 1, rank);
}

// Without a selection the first box that is visible.
void Viewer::stepBox(int direction) {
    if (look_.box && eventOf(view_, *look_.box)) {
        if (const auto next = neighbour(view_, *look_.box, direction)) select(next);
        return;
    }
    const int rank = look_.gap ? look_.gap->rank : look_.first_lane;
    if (rank < 0 || rank >= view_.lanes()) return;
    const EventSlice row = view_.hasRun() ? view_.ran(rank) : view_.planned(rank);
    const double from = look_.range ? look_.range->from_ns : view_.extent().from_ns;
    const auto first =
        std::ranges::partition_point(row, [&](const Event& e) { return view_.relative(e.start_ns) < from; });
    if (first != row.end()) select(selectionOf(*first));
}

// The box at the same time, of the lane's nearest in time where it is idle.
void Viewer::stepLane(int direction) {
    const auto event = look_.box ? eventOf(view_, *look_.box) : std::nullopt;
    if (!event) {
        look_.first_lane = std::clamp(look_.first_lane + direction, 0, view_.lanes() - 1);
        return;
    }
    const int rank = event->rank + direction;
    if (rank < 0 || rank >= view_.lanes()) return;
    const EventSlice row = view_.hasRun() ? view_.ran(rank) : view_.planned(rank);
    if (row.empty()) return;
    auto at = std::ranges::partition_point(row, [&](const Event& e) { return e.end_ns <= event->start_ns; });
    if (at == row.end()) --at;
    select(selectionOf(*at));
}

void Viewer::click(const Input& input, const Layout& layout) {
    const Scene all = scene();
    if (layout.strip_y >= 0 && input.row >= layout.strip_y && input.row < layout.strip_y + layout.strip_h) {
        const StripPlace place = stripOf(all, layout);
        const std::size_t bar = place.first + static_cast<std::size_t>(input.column / place.bar_w);
        if (bar >= history_.bars().size() || !history_.has(history_.bars()[bar].iteration)) return;
        look_.follow = false;
        return show(history_.bars()[bar].iteration);
    }
    const int rank = layout.laneAt(input.row);
    if (rank < 0 || !layout.isTime(input.column)) return;
    const double at = layout.timeAt(input.column, rangeOf(all));
    look_.cursor_ns = at;
    const EventSlice row = view_.hasRun() ? view_.ran(rank) : view_.planned(rank);
    const auto box =
        std::ranges::partition_point(row, [&](const Event& e) { return view_.relative(e.end_ns) <= at; });
    if (box != row.end() && view_.relative(box->start_ns) <= at) return select(selectionOf(*box));
    for (const IdlePeriod& period : view_.lane(rank).idle)
        if (view_.relative(period.start_ns) <= at && at < view_.relative(period.end_ns))
            return select(gapSelection(view_, rank, period));
    look_.box.reset();
    look_.gap.reset();
}

}  // namespace bscope::terminal
