// A run that changes everything it can between iterations: the same for threads, in the test, and for
// processes, in the program that mpirun starts.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "run/run.h"

namespace bscope {

inline RunConfig smallConfig(const char* schedule, int p, int m, int v = 1) {
    RunConfig config;
    config.schedule = schedule;
    config.params.p = p;
    config.params.m = m;
    config.params.v = v;
    config.micro_batch = 2;
    config.model = {8, 32, 2, 16, 256};
    config.clock = ClockChoice::Reconstructed;
    return config;
}

// For this many processes; two iterations of each.
inline std::vector<RunConfig> changes(int processes) {
    std::vector<RunConfig> configs = {smallConfig("1f1b", 2, 4),           smallConfig("gpipe", processes, 6),
                                      smallConfig("interleaved", 2, 4, 2), smallConfig("chimera", 2, 4, 2),
                                      smallConfig("1f1b", 1, 3),           smallConfig("zb-h1", processes, 8),
                                      smallConfig("dualpipe", 2, 8, 2)};
    configs.push_back(smallConfig("gpipe", processes / 2, 4));
    configs.back().params.d = 2;
    configs[1].recompute = Recompute::Full;
    configs[2].training.learning_rate = 5e-4;
    configs[4].micro_batch = 3;
    return configs;
}

// What happened, to the last bit, a line an iteration; and the state at the end.
inline std::string runChanges(int processes, Launcher* launcher, const std::filesystem::path& state) {
    const std::vector<RunConfig> configs = changes(processes);
    RunObserver nobody;
    Run run(configs.front(), nobody, launcher);
    std::string text;
    for (const RunConfig& config : configs) {
        run.configure(config);
        for (int i = 0; i < 2; ++i) {
            const IterationReport report = run.iterate();
            char line[200];
            std::snprintf(line, sizeof line, "%d %s p=%d m=%d loss %a norm %a, %zu ranks\n", report.iteration,
                          report.schedule.c_str(), report.p, report.m, report.loss, report.grad_norm,
                          report.ranks.size());
            text += line;
        }
    }
    run.save(state);
    return text;
}

}  // namespace bscope
