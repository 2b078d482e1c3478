#include "catalog/closed_forms.h"

#include <algorithm>

#include "catalog/generators.h"

namespace bscope::closed_forms {

namespace {

// Bubble of total of p ranks that each work `work` and idle `idle`.
double share(double idle, double work) {
    return idle + work > 0 ? idle / (idle + work) : 0;
}

double workOf(const ScheduleParams& params, double f, double i, double w) {
    return static_cast<double>(params.v) * params.m * (f + i + w);
}

}  // namespace

std::optional<double> oneAtATime(const ScheduleParams& params, double, double, double) {
    return static_cast<double>(params.p - 1) / params.p;
}

std::optional<double> fillAndDrain(const ScheduleParams& params, double, double, double) {
    return (params.p - 1) / (static_cast<double>(params.v) * params.m + params.p - 1);
}

std::optional<double> segments(const ScheduleParams& params, double, double, double) {
    return (params.p - 1) / (static_cast<double>(params.segments) * params.m + params.p - 1);
}

std::optional<double> stream(const ScheduleParams& params, double f, double i, double w) {
    ScheduleParams all = params;
    all.m *= generators::kStreamBatches;
    return fillAndDrain(all, f, i, w);
}

std::optional<double> forwardFillAndDrain(const ScheduleParams& params, double f, double i, double w) {
    if (params.v > 1 && params.m % params.p != 0) return std::nullopt;
    return fillAndDrain(params, f, i, w);
}

std::optional<double> fullPipe(const ScheduleParams& params, double f, double i, double w) {
    if (params.v > 1 && params.m < params.p) return std::nullopt;
    return fillAndDrain(params, f, i, w);
}

std::optional<double> zeroBubbleH1(const ScheduleParams& params, double f, double i, double w) {
    if (params.m < params.p) return std::nullopt;
    return share((params.p - 1) * (f + i - std::min({f, i, w})), workOf(params, f, i, w));
}

std::optional<double> zeroBubbleH2(const ScheduleParams& params, double f, double i, double w) {
    if (params.m < 2 * params.p - 1) return std::nullopt;
    return share((params.p - 1) * std::max({f, i - f, f + i - 2 * w}), workOf(params, f, i, w));
}

std::optional<double> zeroBubbleV(const ScheduleParams& params, double f, double i, double w) {
    if (params.m < 2 * params.p - 1) return std::nullopt;
    if (i < f && (w < f - i || w < i / 2)) return std::nullopt;
    const double late = std::max({0.0, f - i, w - std::max(f, i)});
    if (params.p == 1 && late > 0) return std::nullopt;
    const double idle = (params.p - 1) * std::max({f, i, 2 * (i - w)}) + (params.p - 2) * late;
    return share(idle, workOf(params, f, i, w));
}

std::optional<double> wave(const ScheduleParams& params, double f, double i, double w) {
    const double b = i + w;
    if (params.m != params.p || b < f) return std::nullopt;
    return share(2 * b * (params.p - 1), workOf(params, f, i, w));
}

std::optional<double> oneUnit(const ScheduleParams& params, double f, double i, double w) {
    const double b = i + w;
    if (params.m != params.p || b < f) return std::nullopt;
    return share((params.p - 2) * b, params.m * (f + b));
}

std::optional<double> dualPipeFused(const ScheduleParams& params, double f, double i, double w) {
    if (i != f || w > i) return std::nullopt;
    const double b = i + w, half = params.p / 2.0;
    return share((half - 1) * (f + 2 * b - 3 * w), params.m * (f + b));
}

std::optional<double> unknown(const ScheduleParams&, double, double, double) {
    return std::nullopt;
}

}  // namespace bscope::closed_forms
