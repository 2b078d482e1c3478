// ClockAlignment: another process's clock seen from here. A probe is a question and its answer; the shorter
// the round trip, the less can be wrong, so of each burst of probes the quickest counts, and a line through
// the bursts gives offset and drift. Cristian, "Probabilistic clock synchronization" (1989). One thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bscope {

struct ClockProbe {
    std::int64_t asked_ns = 0;     // here
    std::int64_t remote_ns = 0;    // there, when it answered
    std::int64_t answered_ns = 0;  // here
};

class ClockAlignment {
public:
    // Bursts that count, the latest ones: clocks drift with their temperature.
    static constexpr std::size_t kBursts = 64;
    // By which clocks run faster or slower than others at most: what computers' quartz keeps, and then some.
    static constexpr double kGreatestDrift = 1e-4;

    // Probes made one after another. Throws std::invalid_argument when there are none.
    void addBurst(std::span<const ClockProbe> probes);

    // A time of the remote clock on the clock here.
    std::int64_t toLocal(std::int64_t remote_ns) const;
    // The remote clock at the last burst.
    std::int64_t lastRemote_ns() const;
    // remote - local at the last burst; how much faster the remote clock runs, 1e-6 = 1 microsecond a second.
    double offset_ns() const;
    double drift() const { return drift_; }
    // Greatest distance of a burst from the line, and half the shortest round trip: what a time may be off
    // by. Without a line: half the round trip of the burst that counts, and what drift or another burst says.
    double residual_ns() const { return residual_ns_; }

private:
    struct Point {
        std::int64_t local_ns;
        double offset_ns, half_trip_ns;
    };
    void fit();
    void takeBest();

    std::vector<Point> points_;
    double mean_ns_ = 0, mean_offset_ns_ = 0;  // the line's centre, local time from the first point on
    double drift_ = 0, residual_ns_ = 0;
};

}  // namespace bscope
