#include "schedule/closed_forms.h"

namespace bscope::closed_forms {

std::optional<double> oneAtATime(const ScheduleParams& params, double, double, double) {
    return static_cast<double>(params.p - 1) / params.p;
}

std::optional<double> fillAndDrain(const ScheduleParams& params, double, double, double) {
    return (params.p - 1) / (static_cast<double>(params.v) * params.m + params.p - 1);
}

std::optional<double> forwardFillAndDrain(const ScheduleParams& params, double f, double i, double w) {
    if (params.v > 1 && params.m % params.p != 0) return std::nullopt;
    return fillAndDrain(params, f, i, w);
}

}  // namespace bscope::closed_forms
