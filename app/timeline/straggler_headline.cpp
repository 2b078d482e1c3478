#include "app/timeline/straggler_headline.h"

#include <utility>

#include "analysis/event_graph.h"
#include "app/session/advice_request.h"
#include "timeline/iteration_events.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

bool sameThing(const std::optional<Straggler>& a, const std::optional<Straggler>& b) {
    if (!a || !b) return !a && !b;
    return a->kind == b->kind && a->index == b->index && a->to == b->to && a->factor == b->factor;
}

bool isOf(const Event& event, const Straggler& found) {
    switch (found.kind) {
        case Straggler::Kind::Rank:
            return event.rank == found.index;
        case Straggler::Kind::Stage:
            return event.stage == found.index;
        case Straggler::Kind::Microbatch:
            return event.microbatch == found.index;
        case Straggler::Kind::Link:
            return false;  // no operation of it
    }
    return false;
}

TimeRange rangeOf(std::int64_t from_ns, std::int64_t to_ns, std::int64_t start_ns) {
    return {static_cast<double>(from_ns - start_ns), static_cast<double>(to_ns - start_ns)};
}

// The message over a link that took longest, with the operation that it was for.
std::optional<SearchHit> longestMessage(const IterationView& view, const Straggler& link) {
    const EventGraph graph(*view.ran, view.iteration, view.start_ns);
    std::optional<SearchHit> hit;
    std::int64_t longest_ns = 0;
    for (const EventGraph::Node& node : graph.nodes()) {
        if (node.producer == EventGraph::kNone || node.event->rank != link.to) continue;
        const EventGraph::Node& producer = graph.node(node.producer);
        if (producer.event->rank != link.index || node.transit_ns <= longest_ns) continue;
        longest_ns = node.transit_ns;
        const Event& event = *node.event;
        hit =
            SearchHit{link.to, rangeOf(producer.event->end_ns, event.end_ns, view.start_ns), event.action()};
    }
    return hit;
}

QString capitalised(const QString& text) {
    return text.isEmpty() ? text : text.at(0).toUpper() + text.mid(1);
}

}  // namespace

StragglerHeadline::StragglerHeadline(Session& session, RecentIterations& recent, AdviceController& advice,
                                     QWidget* page)
    : QObject(page), session_(session), recent_(recent), advice_(advice), line_(new StragglerLine(page)) {
    line_->hide();
    connect(&recent, &RecentIterations::changed, this, &StragglerHeadline::follow);
    connect(&session, &Session::stateChanged, this, &StragglerHeadline::follow);
    connect(&advice, &AdviceController::planChanged, this, &StragglerHeadline::follow);
    connect(line_, &StragglerLine::showClicked, this, &StragglerHeadline::show);
    connect(line_, &StragglerLine::withoutClicked, this, &StragglerHeadline::toggleWithout);
    connect(line_, &StragglerLine::closeClicked, this, [this] {
        closed_ = true;
        follow();
        emit changed();
    });
}

void StragglerHeadline::setNotation(const Notation& notation) {
    notation_ = notation;
    follow();
}

void StragglerHeadline::follow() {
    const auto ran = session_.history().ran(session_.history().newestComplete());
    const bool is_file = session_.state() == SessionState::Replaying && ran;
    const auto start = is_file ? ran->start : nullptr;
    const auto found = is_file ? recent_.found() : std::nullopt;
    if (std::exchange(start_, start) != start) closed_ = false;
    if (!sameThing(found, found_)) {
        without_.reset();
        if (found) without_ = withoutStraggler(adviceRequestOf(session_, adviceViewOf(session_)), *found);
    }
    found_ = found;
    if (found_)
        line_->setWords(capitalised(recent_.straggler(notation_)),
                        without_ ? capitalised(said(withoutWords(*without_))) : QString());
    line_->setPlanShown(advice_.plan().has_value());
    line_->setVisible(found_ && !closed_);
}

// Of the shown iteration.
std::optional<SearchHit> StragglerHeadline::longest() const {
    const IterationView view = session_.shown();
    if (found_->kind == Straggler::Kind::Link) return longestMessage(view, *found_);
    std::optional<SearchHit> hit;
    for (int rank = 0; rank < view.ran->ranks(); ++rank)
        for (const Event& event : ofIteration(view.ran->compute(rank), view.iteration)) {
            if (!isCompute(event.op) || !isOf(event, *found_)) continue;
            const TimeRange range = rangeOf(event.start_ns, event.end_ns, view.start_ns);
            if (!hit || range.width() > hit->range.width()) hit = SearchHit{rank, range, event.action()};
        }
    return hit;
}

void StragglerHeadline::show() {
    if (!found_) return;
    advice_.leavePlan();
    if (const auto hit = longest()) emit showRequested(*hit);
}

void StragglerHeadline::toggleWithout() {
    if (advice_.plan()) return advice_.leavePlan();
    if (without_) advice_.showInstead(without_->request, without_->candidate);
}

}  // namespace bscope::ui
