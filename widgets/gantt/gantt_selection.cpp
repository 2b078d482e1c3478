// GanttView's selection, measured range and filter, as keys and clicks change them.
#include <algorithm>

#include "widgets/gantt/gantt_view.h"
#include "widgets/prepared/gap.h"

namespace bscope::ui {

void GanttView::followDependency(int direction) {
    if (state_.gap()) return stepLink(direction);
    if (picture_.groups.empty() || !state_.selection()) return;
    if (const auto next = dependency(picture_.groups.front(), *state_.selection(), direction))
        state_.select(next);
}

void GanttView::lightUpLife() {
    const Hit hit = hitTest(picture_, pointer_);
    if (hit.part == Hit::Part::Box || hit.part == Hit::Part::PlannedBox)
        state_.select(selectionOf(hit.event));
}

// Without a box the one beside the selected gap, or the first of the iteration.
void GanttView::stepSelection(int direction) {
    if (picture_.groups.empty()) return;
    const PreparedView& group = picture_.groups.front();
    if (const auto selection = state_.selection()) {
        if (const auto next = neighbour(group, *selection, direction)) state_.select(next);
        return;
    }
    const auto gap = state_.gap();
    const auto boxes = [&group](int rank) { return group.hasRun() ? group.ran(rank) : group.planned(rank); };
    for (int rank = gap ? gap->rank : 0; rank < group.lanes(); ++rank) {
        const EventSlice events = boxes(rank);
        const auto after =
            !gap ? events.begin() : std::ranges::partition_point(events, [&gap](const Event& event) {
                return event.start_ns <= gap->start_ns;
            });
        const std::ptrdiff_t next = (after - events.begin()) - (gap && direction < 0 ? 1 : 0);
        if (next >= 0 && next < std::ssize(events))
            return state_.select(selectionOf(events[static_cast<std::size_t>(next)]));
        if (gap) return;
    }
}

void GanttView::measureSelection() {
    if (const auto span = selectedSpan())
        state_.setMeasured(TimeRange{span->from_ns, span->to_ns}, LaneSpan{span->rank, span->rank});
}

void GanttView::extendMeasured() {
    const auto span = selectedSpan();
    const auto measured = state_.measured();
    if (!span || !measured) return measureSelection();
    const LaneSpan lanes = state_.measuredFrom().value_or(LaneSpan{span->rank, span->rank});
    state_.setMeasured(
        TimeRange{std::min(measured->from_ns, span->from_ns), std::max(measured->to_ns, span->to_ns)},
        LaneSpan{std::min(lanes.first, span->rank), std::max(lanes.last, span->rank)},
        !state_.measuredLanes());
}

void GanttView::toggleMeasuredLanes() {
    if (const auto measured = state_.measured())
        state_.setMeasured(measured, state_.measuredFrom(), state_.measuredLanes().has_value());
}

void GanttView::clear() {
    const bool had_something = state_.selection() || state_.gap() || state_.measured();
    state_.select(std::nullopt);
    state_.setMeasured(std::nullopt);
    if (!had_something) state_.setFilter({});
}

void GanttView::filterLike(Likeness likeness) {
    const auto selection = state_.selection();
    if (!selection || picture_.groups.empty()) return;
    const PreparedView& group = picture_.groups.front();
    const Action& action = selection->action;
    Filter filter = state_.filter();
    const auto toggled = [](std::optional<int>& only, int value) {
        only = only == value ? std::nullopt : std::optional(value);
    };
    const auto toggledSet = [](auto& hidden, auto others) {
        if (hidden == others) others.clear();
        hidden = std::move(others);
    };
    switch (likeness) {
        case Likeness::Kind: {
            std::set<Op> others;
            for (int op = 0; op < kOpCount; ++op)
                if (static_cast<Op>(op) != action.op && group.contains(static_cast<Op>(op)))
                    others.insert(static_cast<Op>(op));
            toggledSet(filter.hidden_ops, others);
            break;
        }
        case Likeness::Rank: {
            std::set<int> others;
            for (int rank = 0; rank < group.lanes(); ++rank)
                if (rank != selection->rank) others.insert(rank);
            toggledSet(filter.hidden_ranks, others);
            break;
        }
        case Likeness::Stage:
            toggled(filter.stage, action.stage);
            break;
        case Likeness::Microbatch:
            toggled(filter.microbatch, action.microbatch);
            break;
    }
    state_.setFilter(filter);
}

}  // namespace bscope::ui
