#include "app/timeline/iteration_player.h"

#include <algorithm>

#include "timeline/iteration_events.h"

namespace bscope::ui {
namespace {

constexpr int kTick_ms = 33;

const std::shared_ptr<const Timeline>& eventsOf(const IterationView& view) {
    return view.ran->empty() ? view.planned : view.ran;
}

// A plan is made anew whenever it is asked for.
bool isTheSame(const IterationView& a, const IterationView& b) {
    if (a.iteration != b.iteration || a.ran->empty() != b.ran->empty()) return false;
    return a.ran->empty() ? a.config == b.config && a.plan_summary.iteration_ns == b.plan_summary.iteration_ns
                          : a.ran == b.ran;
}

std::vector<std::int64_t> endsOf(const IterationView& view) {
    std::vector<std::int64_t> ends;
    const Timeline& events = *eventsOf(view);
    for (int rank = 0; rank < events.ranks(); ++rank)
        for (const Event& event : ofIteration(events.compute(rank), view.iteration))
            ends.push_back(event.end_ns - view.start_ns);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

}  // namespace

IterationPlayer::IterationPlayer(QObject* parent) : QObject(parent) {
    tick_.setInterval(kTick_ms);
    connect(&tick_, &QTimer::timeout, this, [this] { advance(static_cast<double>(since_.restart())); });
}

void IterationPlayer::offer(const IterationView& view) {
    const bool same = offered_ && isTheSame(*offered_, view);
    const bool whole = view.now_ns < 0 && !view.covered && !view.numbers_hidden;
    if (same && whole) {
        offered_ = view;  // whose analysis may have come
        return;
    }
    tick_.stop();
    time_ns_.reset();
    ends_.clear();
    offered_.reset();
    if (!whole) return;
    offered_ = view;
    ends_ = endsOf(view);
}

IterationView IterationPlayer::view() const {
    IterationView view = *offered_;
    view.ran = eventsOf(view);
    view.now_ns = view.start_ns + *time_ns_;
    view.iteration_state = IterationState::Replayed;
    view.summary.reset();
    view.report.reset();
    view.analysis.reset();
    view.kernels.reset();
    return view;
}

void IterationPlayer::stand(std::int64_t time_ns) {
    time_ns_ = time_ns;
    emit changed();
}

void IterationPlayer::pause() {
    tick_.stop();
}

void IterationPlayer::toggle() {
    if (!canPlay()) return;
    if (playing()) {
        pause();
        return emit changed();
    }
    since_.start();
    tick_.start();
    stand(time_ns_.value_or(0));
}

void IterationPlayer::step(int direction) {
    if (!canPlay()) return;
    pause();
    const auto next = direction > 0 ? std::ranges::upper_bound(ends_, time_ns_.value_or(0))
                                    : std::ranges::lower_bound(ends_, time_ns_.value_or(ends_.back()));
    if (direction > 0) return next == ends_.end() ? leave() : stand(*next);
    stand(next == ends_.begin() ? 0 : *std::prev(next));
}

void IterationPlayer::scrub(double time_ns) {
    if (!canPlay()) return;
    pause();
    stand(static_cast<std::int64_t>(std::clamp(time_ns, 0.0, static_cast<double>(ends_.back()))));
}

void IterationPlayer::advance(double wall_ms) {
    if (!active()) return;
    const double on_ns = wall_ms / kWholeTakes_ms * static_cast<double>(ends_.back());
    const std::int64_t to = *time_ns_ + std::max<std::int64_t>(1, static_cast<std::int64_t>(on_ns));
    if (to >= ends_.back()) return leave();
    stand(to);
}

void IterationPlayer::leave() {
    pause();
    if (!time_ns_) return;
    time_ns_.reset();
    emit changed();
}

}  // namespace bscope::ui
