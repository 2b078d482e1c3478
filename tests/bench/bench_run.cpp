// How far a run is from theory, and what tracing costs. Ratios and differences in points, printed; the limits
// hold on a quiet machine, so an iteration that was disturbed does not count, and nothing here fails on a
// busy one. Stages are equal but for the head, whose share shrinks with the number of blocks: four blocks a
// stage.
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "host/cores.h"
#include "registered_test.h"
#include "run/run.h"

namespace bench_run {

using namespace bscope;

namespace {

constexpr int kIterations = 3;

RunConfig benchConfig(const char* schedule, int p, int m, ClockChoice clock) {
    RunConfig config;
    config.schedule = schedule;
    config.params = {p, 1, m, 0};
    config.micro_batch = 1;
    config.model.layers = 4 * p;
    config.clock = clock;
    return config;
}

struct Median {
    IterationReport report;  // of the undisturbed iterations, by bubble
    int undisturbed = 0;
};

Median measure(const RunConfig& config) {
    RunObserver no_observer;
    Run run(config, no_observer);
    std::vector<IterationReport> quiet, all;
    for (int i = 0; i < kIterations; ++i) {
        all.push_back(run.iterate());
        if (!all.back().disturbed) quiet.push_back(all.back());
    }
    std::vector<IterationReport>& counted = quiet.empty() ? all : quiet;
    std::sort(counted.begin(), counted.end(),
              [](const auto& a, const auto& b) { return a.bubble_of_total < b.bubble_of_total; });
    return {counted[counted.size() / 2], static_cast<int>(quiet.size())};
}

void print(const Median& median, double limit_points) {
    const IterationReport& report = median.report;
    const double theory = report.theory_bubble_of_total.value();
    std::printf(
        "%-13s %-6s p=%d m=%-2d  bubble %5.2f %%  theory %5.2f %%  apart %+5.2f points (limit %.0f)  "
        "predicted %5.2f %%  wall/CPU %.3f  tracing %.3f %%  quiet %d of %d\n",
        toText(report.provenance), report.schedule.c_str(), report.p, report.m, 100 * report.bubble_of_total,
        100 * theory, 100 * (report.bubble_of_total - theory), limit_points,
        100 * report.predicted_bubble_of_total, report.wall_over_cpu, 100 * report.tracing_share,
        median.undisturbed, kIterations);
    std::fflush(stdout);
}

}  // namespace

class BenchRun : public QObject {
    Q_OBJECT

private slots:
    void reconstructedBubbleAgainstTheory() {
        for (const char* schedule : {"1f1b", "gpipe"})
            for (const int p : {4, 8})
                for (const int m : {8, 16, 32})
                    print(measure(benchConfig(schedule, p, m, ClockChoice::Reconstructed)), 3);
    }

    void measuredBubbleAgainstTheory() {
        if (usableCores().size() < 2) QSKIP("needs two cores");
        for (const char* schedule : {"1f1b", "gpipe"})
            for (const int m : {8, 16}) {
                RunConfig config = benchConfig(schedule, 2, m, ClockChoice::Measured);
                config.model.layers = 16;
                print(measure(config), 5);
            }
    }

    // Optimizer, messages, tracing and reports: CPU time of the process beyond that of its operations, which
    // RECONSTRUCTED durations are. Operations of a small model leave it the greatest share.
    void whatARunCostsBesideItsOperations() {
        RunConfig config;
        config.schedule = "1f1b";
        config.params = {8, 1, 32, 0};
        config.model.hidden = 64;
        config.clock = ClockChoice::Reconstructed;
        RunObserver no_observer;
        Run run(config, no_observer);
        for (int warm_up = 0; warm_up < 2; ++warm_up) run.iterate();
        const std::clock_t begin = std::clock();
        double busy_ms = 0;
        for (int i = 0; i < 20; ++i)
            for (const RankReport& rank : run.iterate().ranks) busy_ms += rank.busy_ms;
        const double all_ms = static_cast<double>(std::clock() - begin) * 1000 / CLOCKS_PER_SEC;
        std::printf("beside operations: %.2f %% of the CPU time of 20 iterations (limit 5 %%)\n",
                    100 * (1 - busy_ms / all_ms));
    }

    // The default scenario, with an observer that takes everything and does nothing.
    void tracingShare() {
        const Median median = measure(RunConfig{});
        std::printf("tracing: %.4f %% of the default scenario's iteration (limit 1 %%)\n",
                    100 * median.report.tracing_share);
    }
};

BUBBLESCOPE_TEST(BenchRun)

}  // namespace bench_run

#include "bench_run.moc"
