#include "widgets/picture/time_axis.h"

#include <algorithm>
#include <cmath>

namespace bscope::ui {

TimeRange zoomed(const TimeRange& range, double factor, double at_ns) {
    const double width = std::max(range.width() * factor, kLeastVisibleNs);
    const double share = (at_ns - range.from_ns) / range.width();
    const double from = at_ns - share * width;
    return {from, from + width};
}

TimeRange panned(const TimeRange& range, double by_ns) {
    return {range.from_ns + by_ns, range.to_ns + by_ns};
}

TimeRange clamped(const TimeRange& range, const TimeRange& limits) {
    const double width =
        std::clamp(range.width(), kLeastVisibleNs, std::max(limits.width(), kLeastVisibleNs));
    const double last_from = std::max(limits.from_ns, limits.to_ns - width);
    const double from = std::clamp(range.from_ns, limits.from_ns, last_from);
    return {from, from + width};
}

Ticks niceTicks(const TimeAxis& axis, double unit_ns, double min_spacing_px) {
    Ticks ticks;
    const double least = min_spacing_px / axis.pxPerNs() / unit_ns;
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    const double ratio = least / decade;
    const double mantissa = ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10;
    ticks.step = mantissa * decade;
    ticks.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(ticks.step) + 1e-9)));
    const double first = std::ceil(axis.range().from_ns / unit_ns / ticks.step - 1e-9);
    const double last = std::floor(axis.range().to_ns / unit_ns / ticks.step + 1e-9);
    for (double k = first; k <= last; ++k) ticks.values.push_back(k * ticks.step);
    return ticks;
}

QString rulerNumber(const TimeAxis& axis, double time_ns) {
    const double ms_per_px = 1e-6 / axis.pxPerNs();
    const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(ms_per_px) + 0.3)), 1, 6);
    return QString::number(time_ns / 1e6, 'f', decimals);
}

}  // namespace bscope::ui
