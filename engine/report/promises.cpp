#include "report/promises.h"

#include <cmath>

#include "config/runs_alike.h"
#include "timeline/median.h"

namespace bscope {

std::optional<double> PromiseOutcome::got_ms() const {
    if (lengths_ms.empty()) return std::nullopt;
    return median(lengths_ms);
}

std::optional<double> PromiseOutcome::error() const {
    const std::optional<double> got = got_ms();
    if (!got || *got <= 0) return std::nullopt;
    return static_cast<double>(promise.predicted_ns) / 1e6 / *got - 1;
}

void Promises::give(const Promise& promise) {
    if (!promise.taken_back) return outcomes_.push_back({promise, {}});
    if (outcomes_.empty()) return;
    const PromiseOutcome& last = outcomes_.back();
    if (last.lengths_ms.empty() && runsAlike(last.promise.config, promise.config)) outcomes_.pop_back();
}

void Promises::ran(const IterationStart& start, const IterationReport& report) {
    if (report.iteration <= start.iteration || !report.isTraced()) return;
    for (PromiseOutcome& each : outcomes_)
        if (runsAlike(each.promise.config, start.config) && each.promise.provenance == report.provenance)
            each.lengths_ms.push_back(report.iteration_ms);
}

std::vector<double> absoluteErrors(const std::vector<PromiseOutcome>& outcomes) {
    std::vector<double> errors;
    for (const PromiseOutcome& each : outcomes)
        if (const auto error = each.error()) errors.push_back(std::abs(*error));
    return errors;
}

}  // namespace bscope
