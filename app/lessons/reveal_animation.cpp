#include "app/lessons/reveal_animation.h"

namespace bscope::ui {
namespace {

constexpr int kTick_ms = 33;

}  // namespace

RevealAnimation::RevealAnimation(QObject* parent) : QObject(parent) {
    tick_.setInterval(kTick_ms);
    connect(&tick_, &QTimer::timeout, this, [this] { advance(static_cast<double>(since_.restart())); });
}

void RevealAnimation::begin() {
    share_ = 0;
    since_.start();
    tick_.start();
    emit changed();
}

void RevealAnimation::end() {
    if (!share_) return;
    share_.reset();
    tick_.stop();
    emit changed();
}

void RevealAnimation::advance(double wall_ms) {
    if (!share_) return;
    const double share = *share_ + wall_ms / kWholeTakes_ms;
    if (share >= 1) return end();
    share_ = share;
    emit changed();
}

}  // namespace bscope::ui
