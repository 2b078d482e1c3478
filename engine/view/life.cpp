#include "view/life.h"

#include <algorithm>
#include <unordered_map>

namespace bscope {

namespace {

bool deliversGradient(Op op) {
    return op == Op::Backward || op == Op::BackwardInput;
}

int previousStage(const PreparedView& view, int stage) {
    return view.schedule() != nullptr ? view.schedule()->previousStage(stage) : stage - 1;
}

int nextStage(const PreparedView& view, int stage) {
    return view.schedule() != nullptr ? view.schedule()->nextStage(stage) : stage + 1;
}

// The rows the selection walks on: what ran, else the plan.
EventSlice row(const PreparedView& view, int rank) {
    return view.hasRun() ? view.ran(rank) : view.planned(rank);
}

template <typename Matches>
std::optional<Event> findEvent(const PreparedView& view, const Matches& matches) {
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const Event& event : row(view, rank))
            if (matches(event)) return event;
    return std::nullopt;
}

// The events that send something on, by stage, direction, micro-batch and segment.
class Producers {
public:
    void add(const Event& event) {
        if (event.op == Op::Forward || deliversGradient(event.op))
            producers_.emplace(key(event, event.stage, event.op == Op::Forward),
                               Sender{event.rank, event.end_ns});
    }

    std::optional<MessageArrow> arrowOf(const PreparedView& view, const Event& receive) const {
        const bool forward = receive.op == Op::RecvForward;
        const int from = forward ? previousStage(view, receive.stage) : nextStage(view, receive.stage);
        const auto found = producers_.find(key(receive, from, forward));
        if (found == producers_.end()) return std::nullopt;
        const Sender& sender = found->second;
        return MessageArrow{sender.rank,    receive.rank,       sender.end_ns,
                            receive.end_ns, receive.microbatch, receive.stage};
    }

private:
    struct Sender {
        int rank;
        std::int64_t end_ns;
    };
    static std::uint64_t key(const Event& event, int stage, bool forward) {
        return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(stage)) << 37) |
               (static_cast<std::uint64_t>(event.segment + 1) << 33) |
               (static_cast<std::uint64_t>(forward) << 32) | static_cast<std::uint32_t>(event.microbatch);
    }
    std::unordered_map<std::uint64_t, Sender> producers_;
};

}  // namespace

MicrobatchLife lifeOf(const PreparedView& view, const Selection& selection) {
    MicrobatchLife life;
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const Event& event : row(view, rank))
            if (view.inLife(event, selection)) life.boxes.push_back(event);
    if (!view.hasRun()) return life;
    Producers producers;
    for (const Event& event : life.boxes) producers.add(event);
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const Event& receive : view.receives(rank))
            if (view.inLife(receive, selection))
                if (const auto arrow = producers.arrowOf(view, receive)) life.messages.push_back(*arrow);
    return life;
}

std::vector<MessageArrow> messagesOf(const PreparedView& view, std::size_t limit) {
    std::vector<MessageArrow> arrows;
    if (!view.hasRun()) return arrows;
    std::size_t count = 0;
    for (int rank = 0; rank < view.lanes(); ++rank) {
        count += view.receives(rank).size();
        if (count > limit) return arrows;
    }
    Producers producers;
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const Event& event : view.ran(rank)) producers.add(event);
    for (int rank = 0; rank < view.lanes(); ++rank)
        for (const Event& receive : view.receives(rank))
            if (const auto arrow = producers.arrowOf(view, receive)) arrows.push_back(*arrow);
    return arrows;
}

std::optional<Event> eventOf(const PreparedView& view, const Selection& selection) {
    if (selection.rank < 0 || selection.rank >= view.lanes()) return std::nullopt;
    for (const Event& event : row(view, selection.rank))
        if (event.action() == selection.action) return event;
    return std::nullopt;
}

Selection selectionOf(const Event& event, bool of_baseline) {
    return {event.rank, event.action(), event.iteration, of_baseline};
}

std::optional<Selection> neighbour(const PreparedView& view, const Selection& selection, int direction) {
    if (selection.rank < 0 || selection.rank >= view.lanes()) return std::nullopt;
    const auto events = row(view, selection.rank);
    const auto at =
        std::ranges::find_if(events, [&](const Event& e) { return e.action() == selection.action; });
    if (at == events.end()) return std::nullopt;
    const auto next = (at - events.begin()) + direction;
    if (next < 0 || next >= static_cast<std::ptrdiff_t>(events.size())) return std::nullopt;
    return selectionOf(events[static_cast<std::size_t>(next)], view.isBaseline());
}

std::optional<Selection> dependency(const PreparedView& view, const Selection& selection, int direction) {
    const Action& from = selection.action;
    const int before = previousStage(view, from.stage), after = nextStage(view, from.stage);
    const bool at_end = after < 0 || after >= view.places().stages();
    const auto search = [&](int stage, auto accepts) -> std::optional<Selection> {
        const auto event = findEvent(view, [&](const Event& e) {
            return e.stage == stage && e.microbatch == from.microbatch && e.segment == from.segment() &&
                   accepts(e.op);
        });
        return event ? std::optional(selectionOf(*event, view.isBaseline())) : std::nullopt;
    };
    const auto is_forward = [](Op op) { return op == Op::Forward; };
    const auto is_weight = [](Op op) { return op == Op::BackwardWeight; };
    if (direction < 0) {
        if (from.op == Op::Forward) return before < 0 ? std::nullopt : search(before, is_forward);
        if (from.op == Op::BackwardWeight) return search(from.stage, deliversGradient);
        return at_end ? search(from.stage, is_forward) : search(after, deliversGradient);
    }
    if (from.op == Op::Forward)
        return at_end ? search(from.stage, deliversGradient) : search(after, is_forward);
    if (deliversGradient(from.op))
        return before < 0 ? search(from.stage, is_weight) : search(before, deliversGradient);
    return from.op == Op::Recompute ? search(from.stage, deliversGradient) : std::nullopt;
}

}  // namespace bscope
