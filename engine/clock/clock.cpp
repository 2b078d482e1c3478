#include "clock/clock.h"

#include <algorithm>

#include "clock/measured_clock.h"
#include "clock/reconstructed_clock.h"

namespace bscope {

bool OpTime::disturbed() const {
    return cut || static_cast<double>(wall_ns) > kDisturbed * static_cast<double>(cpu_ns);
}

std::int64_t OpTime::place_ns(std::int64_t work_time_ns) const {
    const double work = static_cast<double>(std::max<std::int64_t>(1, work_end_ns - work_start_ns));
    const double share = static_cast<double>(work_time_ns - work_start_ns) / work;
    return start_ns +
           static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(end_ns - start_ns));
}

Provenance chooseProvenance(const RunConfig& config, int cores) {
    switch (config.clock) {
        case ClockChoice::Measured:
            return Provenance::Measured;
        case ClockChoice::Reconstructed:
            return Provenance::Reconstructed;
        case ClockChoice::Auto:
            break;
    }
    const bool together = config.params.layout().world() <= cores && config.durations == Durations::Raw;
    return together ? Provenance::Measured : Provenance::Reconstructed;
}

std::vector<Problem> clockProblems(const RunConfig& config, int cores) {
    std::vector<Problem> found;
    if (config.clock != ClockChoice::Measured) return found;
    const long others = static_cast<long>(config.params.p) * config.params.d,
               ranks = others * config.params.t;
    if (ranks > cores && config.params.t > 1)
        found.push_back(
            {"t",
             "the measured clock runs all ranks at the same time: p * d * t = {0}, but there are {1} cores",
             {std::to_string(ranks), std::to_string(cores)},
             {std::max(1L, cores / std::max(1L, others))}});
    else if (ranks > cores && config.params.d == 1)
        found.push_back(
            {"p",
             "the measured clock runs all ranks at the same time: p = {0}, but there are {1} cores",
             {std::to_string(ranks), std::to_string(cores)},
             {cores}});
    else if (ranks > cores)
        found.push_back(
            {"d",
             "the measured clock runs all ranks at the same time: p * d = {0}, but there are {1} cores",
             {std::to_string(ranks), std::to_string(cores)},
             {std::max(1, cores / std::max(1, config.params.p))}});
    if (config.durations == Durations::Calibrated)
        found.push_back({"durations",
                         "calibrated durations need the reconstructed clock: what is measured stays raw",
                         {},
                         {}});
    return found;
}

std::vector<double> slowFactors(const RunConfig& config) {
    std::vector<double> factors(static_cast<std::size_t>(config.params.layout().world()), 1.0);
    for (const auto& [rank, factor] : config.slow_ranks) factors.at(static_cast<std::size_t>(rank)) = factor;
    return factors;
}

std::unique_ptr<Clock> makeClock(Provenance provenance, const RunConfig& config,
                                 const std::vector<int>& cores, const Calibration& calibration,
                                 HostTime host) {
    if (provenance == Provenance::Measured)
        return std::make_unique<MeasuredClock>(slowFactors(config), cores, std::move(host));
    return std::make_unique<ReconstructedClock>(
        slowFactors(config), cores, config.durations == Durations::Calibrated ? &calibration : nullptr);
}

}  // namespace bscope
