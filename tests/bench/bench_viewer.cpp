// What an attached viewer costs: the default scenario run alone, and the same served to one viewer that
// reads and decodes the whole stream in this process. Prints the ratio of the median iteration, on the
// machine's clock and on the run's own; meant for a quiet machine (limit 1.02).
#include <algorithm>
#include <cstdio>
#include <vector>

#include "run/run.h"
#include "served.h"
#include "wire/convert.h"

using namespace bscope;

namespace {

constexpr int kIterations = 9;

struct Iterations {
    std::vector<double> host_ms, iteration_ms;
    void add(double host, double iteration) {
        host_ms.push_back(host);
        iteration_ms.push_back(iteration);
    }
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + kIterations / 2, values.end());
    return values[kIterations / 2];
}

Iterations alone(const RunConfig& config) {
    RunObserver no_observer;
    Run run(config, no_observer);
    run.iterate();
    Iterations found;
    for (int i = 0; i < kIterations; ++i) {
        const IterationReport report = run.iterate();
        found.add(report.host_ms, report.iteration_ms);
    }
    return found;
}

Iterations served(const RunConfig& config) {
    Served server(Served::paused(), config);
    RawViewer viewer(server.port());
    viewer.attach();
    viewer.control(wire::Control::RUN);
    Iterations found;
    for (int i = -1; i < kIterations; ++i) {
        const auto report = viewer.until(wire::Message::kIterationReport);
        if (!report) break;
        if (i >= 0)
            found.add(report->iteration_report().host_ms(), report->iteration_report().iteration_ms());
    }
    return found;
}

}  // namespace

int main(int, char**) {
    RunConfig config;
    config.clock = ClockChoice::Reconstructed;
    const Iterations without = alone(config), with = served(config);
    if (with.host_ms.size() < kIterations) {
        std::fprintf(stderr, "the stream ended early\n");
        return 1;
    }
    std::printf(
        "viewer attached / alone, median of %d iterations: %.3f on the machine's clock (%.1f, %.1f ms), "
        "%.3f on the run's (limit 1.02)\n",
        kIterations, median(with.host_ms) / median(without.host_ms), median(with.host_ms),
        median(without.host_ms), median(with.iteration_ms) / median(without.iteration_ms));
    return 0;
}
