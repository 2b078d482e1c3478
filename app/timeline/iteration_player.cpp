#include "app/timeline/iteration_player.h"

#include <algorithm>

#include "view/played_view.h"

namespace bscope::ui {
namespace {

constexpr int kTick_ms = 33;

// A plan is made anew whenever it is asked for.
bool isTheSame(const IterationView& a, const IterationView& b) {
    if (a.iteration != b.iteration || a.ran->empty() != b.ran->empty()) return false;
    return a.ran->empty() ? a.config == b.config && a.plan_summary.iteration_ns == b.plan_summary.iteration_ns
                          : a.ran == b.ran;
}

}  // namespace

IterationPlayer::IterationPlayer(QObject* parent) : QObject(parent) {
    tick_.setInterval(kTick_ms);
    connect(&tick_, &QTimer::timeout, this, [this] { advance(static_cast<double>(since_.restart())); });
}

void IterationPlayer::offer(const IterationView& view) {
    const bool same = offered_ && isTheSame(*offered_, view);
    const bool whole = canBePlayed(view);
    if (same && whole) {
        offered_ = view;  // whose analysis may have come
        return;
    }
    tick_.stop();
    time_ns_.reset();
    ends_.clear();
    beats_.clear();
    offered_.reset();
    if (!whole) return;
    offered_ = view;
    ends_ = operationEnds(view);
    beats_ = microbatchEnds(view);
}

IterationView IterationPlayer::view() const {
    return playedUntil(*offered_, *time_ns_);
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
    played_ns_ = static_cast<double>(*time_ns_);
}

void IterationPlayer::step(int direction) {
    if (canPlay()) go(ends_, direction);
}

void IterationPlayer::beat(int direction) {
    if (canPlay()) go(beats_, direction);
}

void IterationPlayer::go(const std::vector<std::int64_t>& ends, int direction) {
    pause();
    const auto next = direction > 0 ? std::ranges::upper_bound(ends, time_ns_.value_or(0))
                                    : std::ranges::lower_bound(ends, time_ns_.value_or(ends_.back()));
    if (direction > 0) return next == ends.end() ? leave() : stand(*next);
    stand(next == ends.begin() ? 0 : *std::prev(next));
}

void IterationPlayer::scrub(double time_ns) {
    if (!canPlay()) return;
    pause();
    stand(static_cast<std::int64_t>(std::clamp(time_ns, 0.0, static_cast<double>(ends_.back()))));
}

void IterationPlayer::advance(double wall_ms) {
    if (!active()) return;
    played_ns_ += wall_ms / wholeTakes_ms() * static_cast<double>(ends_.back());
    const auto now_ns = static_cast<std::int64_t>(played_ns_);
    if (now_ns >= ends_.back()) return leave();
    if (!in_beats_) return stand(now_ns);
    const auto later = std::ranges::upper_bound(beats_, now_ns);
    if (later != beats_.begin() && *std::prev(later) > *time_ns_) stand(*std::prev(later));
}

double IterationPlayer::wholeTakes_ms() const {
    const double each_ms = pace_ == Pace::OneInTwoSeconds ? 2000 : pace_ == Pace::OneASecond ? 1000 : 500;
    return pace_ == Pace::Whole ? kWholeTakes_ms
                                : each_ms * static_cast<double>(std::max<std::size_t>(1, beats_.size()));
}

void IterationPlayer::leave() {
    pause();
    if (!time_ns_) return;
    time_ns_.reset();
    emit changed();
}

}  // namespace bscope::ui
