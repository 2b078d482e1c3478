// GanttView's selection, measured range and filter, as keys and clicks change them.
#include <algorithm>

#include "view/gap.h"
#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

void GanttView::followDependency(int direction) {
    if (state_.gap()) return stepLink(direction);
    if (picture_.groups.empty() || !state_.selection()) return;
    if (const auto next = dependency(selectedGroup(), *state_.selection(), direction)) state_.select(next);
}

void GanttView::lightUpLife() {
    const Hit hit = hitTest(picture_, pointer_);
    if (hit.part == Hit::Part::Box || hit.part == Hit::Part::PlannedBox) state_.select(selectionIn(hit));
}

// Without a box the one beside the selected gap, or the first of the iteration.
void GanttView::stepSelection(int direction) {
    if (picture_.groups.empty()) return;
    const PreparedView& group = selectedGroup();
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
            return state_.select(selectionOf(events[static_cast<std::size_t>(next)], group.isBaseline()));
        if (gap) return;
    }
}

void GanttView::stepGap(int direction) {
    if (picture_.groups.empty()) return;
    const auto next = gapBySize(selectedGroup(), state_.gap(), direction);
    if (!next) return;
    state_.selectGap(*next);
    revealSelection();
}

void GanttView::stepLink(int direction) {
    const int last = static_cast<int>(picture_.chain.size()) - 1;
    const int next = state_.link().value_or(-1) - direction;
    if (next > last) return;
    state_.setLink(next < 0 ? std::nullopt : std::optional(next));
}

Selection GanttView::selectionIn(const Hit& hit) const {
    return selectionOf(hit.event, picture_.groups[static_cast<std::size_t>(hit.group)].isBaseline());
}

// The link of the selected gap's chain that lies there.
std::optional<int> GanttView::linkUnder(const Hit& hit) const {
    for (std::size_t i = 0; i < picture_.chain.size(); ++i) {
        const Reason& reason = picture_.chain[i];
        const bool is_box = hit.part == Hit::Part::Box && reason.kind == Reason::Kind::Operation &&
                            reason.rank == hit.rank && reason.start_ns == hit.event.start_ns;
        const bool is_message = hit.part == Hit::Part::Message && reason.kind == Reason::Kind::Message &&
                                reason.to == hit.rank && reason.end_ns == hit.event.end_ns;
        if (hit.group == static_cast<int>(picture_.selected_group) && (is_box || is_message))
            return static_cast<int>(i);
    }
    return std::nullopt;
}

std::optional<GanttView::Span> GanttView::selectedSpan() const {
    if (picture_.groups.empty()) return std::nullopt;
    const PreparedView& group = selectedGroup();
    if (const auto gap = state_.gap()) {
        if (const int link = state_.link().value_or(-1);
            link >= 0 && link < static_cast<int>(picture_.chain.size())) {
            const Reason& reason = picture_.chain[static_cast<std::size_t>(link)];
            return Span{reason.kind == Reason::Kind::Message ? reason.to : reason.rank,
                        group.onAxis(reason.start_ns), group.onAxis(reason.end_ns)};
        }
        const auto period = gapOf(group, *gap);
        if (!period) return std::nullopt;
        return Span{gap->rank, group.onAxis(period->start_ns), group.onAxis(period->end_ns)};
    }
    const auto selection = state_.selection();
    const auto event = selection ? eventOf(group, *selection) : std::nullopt;
    if (!event) return std::nullopt;
    return Span{selection->rank, group.onAxis(event->start_ns), group.onAxis(event->end_ns)};
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
    emit cleared();
}

void GanttView::filterLike(Likeness likeness) {
    const auto selection = state_.selection();
    if (!selection || picture_.groups.empty()) return;
    const PreparedView& group = selectedGroup();
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
