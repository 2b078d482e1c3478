#include "trace/clock_alignment.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace bscope {

void ClockAlignment::addBurst(std::span<const ClockProbe> probes) {
    if (probes.empty()) throw std::invalid_argument("ClockAlignment: a burst without probes");
    const auto trip = [](const ClockProbe& probe) { return probe.answered_ns - probe.asked_ns; };
    const ClockProbe& best = *std::min_element(
        probes.begin(), probes.end(), [&](const auto& a, const auto& b) { return trip(a) < trip(b); });
    const std::int64_t middle = best.asked_ns + trip(best) / 2;
    points_.push_back(
        {middle, static_cast<double>(best.remote_ns - middle), static_cast<double>(trip(best)) / 2});
    if (points_.size() > kBursts) points_.erase(points_.begin());
    fit();
}

// Least squares over the bursts; times relative to the first, so that doubles hold them to the nanosecond.
void ClockAlignment::fit() {
    const double n = static_cast<double>(points_.size());
    const auto since = [&](const Point& p) {
        return static_cast<double>(p.local_ns - points_.front().local_ns);
    };
    mean_ns_ = mean_offset_ns_ = 0;
    double mean_half_trip_ns = 0;
    for (const Point& p : points_) {
        mean_half_trip_ns += p.half_trip_ns / n;
        mean_ns_ += since(p) / n;
        mean_offset_ns_ += p.offset_ns / n;
    }
    double covariance = 0, variance = 0;
    for (const Point& p : points_) {
        covariance += (since(p) - mean_ns_) * (p.offset_ns - mean_offset_ns_);
        variance += (since(p) - mean_ns_) * (since(p) - mean_ns_);
    }
    const double drift_error = 2 * mean_half_trip_ns / since(points_.back());
    if (!(drift_error < kGreatestDrift)) {
        takeBest();
        return;
    }
    drift_ = covariance / variance;
    double worst = 0, shortest = points_.front().half_trip_ns;
    for (const Point& p : points_) {
        const double on_line = mean_offset_ns_ + drift_ * (since(p) - mean_ns_);
        worst = std::max(worst, std::abs(p.offset_ns - on_line));
        shortest = std::min(shortest, p.half_trip_ns);
    }
    residual_ns_ = worst + shortest;
}

// Bursts that lie too close together to show a drift: the one that is right to the least by now gives the
// offset alone.
void ClockAlignment::takeBest() {
    const auto mayBeOff = [&](const Point& p) {
        return p.half_trip_ns + kGreatestDrift * static_cast<double>(points_.back().local_ns - p.local_ns);
    };
    const Point& best = *std::min_element(points_.begin(), points_.end(), [&](const auto& a, const auto& b) {
        return mayBeOff(a) < mayBeOff(b);
    });
    drift_ = 0;
    mean_ns_ = static_cast<double>(best.local_ns - points_.front().local_ns);
    mean_offset_ns_ = best.offset_ns;
    residual_ns_ = mayBeOff(best);
    for (const Point& p : points_) {
        const double distance = std::abs(p.offset_ns - best.offset_ns);
        residual_ns_ = std::max(residual_ns_, distance - p.half_trip_ns + best.half_trip_ns);
    }
}

std::int64_t ClockAlignment::lastRemote_ns() const {
    return points_.back().local_ns + std::llround(points_.back().offset_ns);
}

double ClockAlignment::offset_ns() const {
    const Point& last = points_.back();
    return mean_offset_ns_ +
           drift_ * (static_cast<double>(last.local_ns - points_.front().local_ns) - mean_ns_);
}

// remote = local + offset(local); with o and d the line's value and slope at the first point's time t0,
// local - t0 = (remote - t0 - o) / (1 + d).
std::int64_t ClockAlignment::toLocal(std::int64_t remote_ns) const {
    if (points_.empty()) return remote_ns;
    const std::int64_t begin = points_.front().local_ns;
    const double at_begin = mean_offset_ns_ - drift_ * mean_ns_;
    const double whole = std::round(at_begin);
    const double since = static_cast<double>(remote_ns - begin - static_cast<std::int64_t>(whole));
    return begin + std::llround((since - (at_begin - whole)) / (1.0 + drift_));
}

}  // namespace bscope
