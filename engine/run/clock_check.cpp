#include "run/clock_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "run/run.h"

namespace bscope {

namespace {

bool counts(const IterationReport& report) {
    constexpr double kMost = kClockTimeLimit / 2;
    return report.wall_over_cpu <= 1 + kMost && report.held_share <= kMost;
}

double compute(const IterationReport& report) {
    double sum_ms = 0;
    for (const RankReport& rank : report.ranks) sum_ms += rank.busy_ms;
    return sum_ms;
}

// The middle one, of an even number the mean of the middle two.
template <class Value>
double median(std::span<const IterationReport> reports, Value value) {
    std::vector<double> values;
    for (const IterationReport& report : reports) values.push_back(value(report));
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

bool isEnough(const ClockFigures& figures) {
    return 2 * figures.counted >= figures.iterations;
}

}  // namespace

ClockFigures clockFigures(std::span<const IterationReport> reports) {
    std::vector<IterationReport> quiet;
    std::ranges::copy_if(reports, std::back_inserter(quiet), counts);
    ClockFigures figures;
    figures.provenance = reports.front().provenance;
    figures.iterations = static_cast<int>(reports.size());
    figures.counted = static_cast<int>(quiet.size());
    const std::span<const IterationReport> taken = quiet.empty() ? reports : quiet;
    figures.iteration_ms = median(taken, [](const IterationReport& report) { return report.iteration_ms; });
    figures.bubble_of_total =
        median(taken, [](const IterationReport& report) { return report.bubble_of_total; });
    figures.compute_ms = median(taken, compute);
    return figures;
}

ClockOutcome ClockCheck::outcome() const {
    if (!isEnough(measured) || !isEnough(reconstructed)) return ClockOutcome::Disturbed;
    const bool agree =
        std::abs(timeDifference()) <= kClockTimeLimit && std::abs(bubbleDifference()) <= kClockBubbleLimit;
    return agree ? ClockOutcome::Agree : ClockOutcome::Apart;
}

RunConfig clockCheckConfig() {
    RunConfig config;
    config.schedule = "1f1b";
    config.params = {.p = 2, .v = 1, .m = 16};
    config.micro_batch = 1;
    config.model.layers = 16;
    config.device = DeviceChoice::Cpu;
    return config;
}

ClockCheck checkClocks(const RunConfig& config, int rounds, const ClockCheckProgress& progress) {
    RunObserver no_observer;
    RunConfig measured = config, reconstructed = config;
    measured.clock = ClockChoice::Measured;
    reconstructed.clock = ClockChoice::Reconstructed;
    Run runs[] = {Run(measured, no_observer), Run(reconstructed, no_observer)};
    std::vector<IterationReport> reports[2];
    for (int round = -1; round < rounds; ++round) {
        for (int clock : {0, 1}) {
            IterationReport report = runs[clock].iterate();
            if (round >= 0) reports[clock].push_back(std::move(report));
        }
        if (progress && round >= 0) progress(round + 1, rounds);
    }
    return {config, reports[0].front().device, clockFigures(reports[0]), clockFigures(reports[1])};
}

}  // namespace bscope
