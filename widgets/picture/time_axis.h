// TimeAxis: nanoseconds <-> pixels, zooming and panning. A plain value without a widget; times are relative
// to the shown iteration's start. Invariant: the visible width is at least 1 ns.
#pragma once

#include <QString>
#include <vector>

#include "widgets/data/view_state.h"

namespace bscope::ui {

inline constexpr double kLeastVisibleNs = 1.0;

class TimeAxis {
public:
    TimeAxis() = default;
    TimeAxis(const TimeRange& visible, double left_px, double width_px)
        : range_(visible),
          left_px_(left_px),
          width_px_(width_px),
          px_per_ns_(width_px / visible.width()),
          ns_per_px_(visible.width() / width_px) {}

    // Asked for up to a million times a picture, so without a division.
    double toPx(double time_ns) const { return left_px_ + (time_ns - range_.from_ns) * px_per_ns_; }
    double toNs(double x_px) const { return range_.from_ns + (x_px - left_px_) * ns_per_px_; }
    const TimeRange& range() const { return range_; }  // visible
    double pxPerNs() const { return px_per_ns_; }
    double left_px() const { return left_px_; }
    double width_px() const { return width_px_; }
    double right_px() const { return left_px_ + width_px_; }

private:
    TimeRange range_{0, 1};
    double left_px_ = 0, width_px_ = 1, px_per_ns_ = 1, ns_per_px_ = 1;
};

// The same axis for the absolute times of an iteration.
class GroupAxis {
public:
    GroupAxis(const TimeAxis& axis, std::int64_t origin_ns) : axis_(axis), origin_ns_(origin_ns) {}
    double toPx(std::int64_t time_ns) const { return axis_.toPx(static_cast<double>(time_ns - origin_ns_)); }
    std::int64_t toNs(double x_px) const {  // the nearest
        const double relative_ns = axis_.toNs(x_px);
        return origin_ns_ + static_cast<std::int64_t>(relative_ns + (relative_ns < 0 ? -0.5 : 0.5));
    }

private:
    TimeAxis axis_;
    std::int64_t origin_ns_;  // what stands at 0
};

// The range `factor` times as wide (below 1 = closer) in which the time under at_ns keeps its place.
TimeRange zoomed(const TimeRange& range, double factor, double at_ns);
TimeRange panned(const TimeRange& range, double by_ns);
// Not below 1 ns wide, not wider than the limits, inside them.
TimeRange clamped(const TimeRange& range, const TimeRange& limits);

// Round steps (1, 2, 5 times a power of ten) inside a range, at least min_spacing_px apart. `unit_ns` is the
// length of one printed unit (1e6 for ms, the median F for units of F).
struct Ticks {
    double step = 0;             // in units
    int decimals = 0;            // needed to print a multiple of step
    std::vector<double> values;  // in units
};
Ticks niceTicks(const TimeAxis& axis, double unit_ns, double min_spacing_px);

// A time in ms with as many decimals as a pixel is worth, at least one.
QString rulerNumber(const TimeAxis& axis, double time_ns);

}  // namespace bscope::ui
