// ReplayClock: the time base of a replay. Maps wall time to the recording's own device time at a speed of 0.1
// to 100, stops, and jumps. Plain data; the caller says what time it is.
#pragma once

#include <algorithm>
#include <cstdint>

namespace bscope::ui {

class ReplayClock {
public:
    static constexpr double kMinSpeed = 0.1, kMaxSpeed = 100.0;

    std::int64_t now_ns() const { return now_ns_; }
    bool playing() const { return playing_; }
    double speed() const { return speed_; }

    void setPlaying(bool on) { playing_ = on; }
    void setSpeed(double speed) { speed_ = std::clamp(speed, kMinSpeed, kMaxSpeed); }
    void jump(std::int64_t time_ns) { now_ns_ = time_ns; }
    // wall_ns of real time have passed.
    void advance(std::int64_t wall_ns) {
        if (playing_) now_ns_ += static_cast<std::int64_t>(static_cast<double>(wall_ns) * speed_);
    }

private:
    std::int64_t now_ns_ = 0;
    double speed_ = 1.0;
    bool playing_ = false;
};

}  // namespace bscope::ui
