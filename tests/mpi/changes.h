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

// To the last bit, a line an iteration.
struct Log : RunObserver {
    void iterationFinished(const IterationReport& report) override {
        char line[200];
        std::snprintf(line, sizeof line, "%d %s p=%d m=%d loss %a norm %a, %zu ranks", report.iteration,
                      report.schedule.c_str(), report.p, report.m, report.loss, report.grad_norm,
                      report.ranks.size());
        text += line;
        for (const RankReport& rank : report.ranks) {
            std::snprintf(line, sizeof line, " %d/%d/%lld", rank.weight_versions, rank.staleness,
                          static_cast<long long>(rank.weight_bytes));
            text += line;
        }
        text += "\n";
    }
    std::string text;
};

// p on GPUs and back, the CPU in between. On the CPU the same with all its numbers.
inline std::vector<RunConfig> gpuChanges(int processes, DeviceChoice device) {
    std::vector<RunConfig> configs = {smallConfig("1f1b", processes, 8),
                                      smallConfig("gpipe", 2, 4),
                                      smallConfig("1f1b", 1, 3),
                                      smallConfig("1f1b", 2, 4),
                                      smallConfig("interleaved", processes, 8, 2),
                                      smallConfig("pipedream", 2, 4),
                                      smallConfig("gpipe", processes, 8)};
    for (std::size_t i = 0; i < configs.size() && device == DeviceChoice::Cuda; ++i) {
        if (i == 3) continue;
        configs[i].device = device;
        configs[i].clock = ClockChoice::Auto;
    }
    configs.push_back(configs.front());
    configs.back().params.d = processes / 2;
    configs.back().params.p = 2;
    configs.push_back(configs.front());
    return configs;
}

// What happened, and the state at the end.
inline std::string runThrough(const std::vector<RunConfig>& configs, Launcher* launcher,
                              const std::filesystem::path& state) {
    Log log;
    Run run(configs.front(), log, launcher);
    for (const RunConfig& config : configs) {
        run.configure(config);
        for (int i = 0; i < 2; ++i) run.iterate();
    }
    run.save(state);
    return log.text;
}

inline std::string runChanges(int processes, Launcher* launcher, const std::filesystem::path& state) {
    return runThrough(changes(processes), launcher, state);
}

inline std::string runGpuChanges(int processes, Launcher* launcher, const std::filesystem::path& state) {
    return runThrough(gpuChanges(processes, DeviceChoice::Cuda), launcher, state);
}

// Two ranks, whatever else there is; an iteration that fails is run again. How many have failed stands in the
// last line.
inline std::string runAgain(DeviceChoice device, Launcher* launcher, const std::filesystem::path& state) {
    RunConfig config = smallConfig("1f1b", 2, 6);
    config.device = device;
    if (device == DeviceChoice::Cuda) config.clock = ClockChoice::Auto;
    Log log;
    Run run(config, log, launcher);
    int failed = 0;
    while (run.nextIteration() < 4) try {
            run.iterate();
        } catch (const RunFailure& failure) {
            if (++failed > 3) throw;
            std::fprintf(stderr, "%s\n", failure.what());
        }
    run.save(state);
    return log.text + std::to_string(failed) + " failed\n";
}

inline std::string runGpuAgain(int /*processes*/, Launcher* launcher, const std::filesystem::path& state) {
    return runAgain(DeviceChoice::Cuda, launcher, state);
}

// Streams that run on from call to call, drained by a change, by a saved state and by a dump; a synchronous
// schedule in between goes on with what they have learned, and they with that.
inline std::string runStreams(int processes, Launcher* launcher, const std::filesystem::path& state) {
    Log log;
    RunConfig pipedream = smallConfig("pipedream", processes, 3);
    pipedream.params.vertical_sync = processes > 2;
    Run run(smallConfig("1f1b", processes, 4), log, launcher);
    run.iterate();
    run.configure(pipedream);
    for (int i = 0; i < 4; ++i) run.iterate(3 - i);
    for (int i = 0; i < 5; ++i) run.iterate(Run::kEndless);
    run.save(state.string() + ".half");
    pipedream.training.learning_rate = 5e-4;
    run.configure(pipedream);
    run.iterate(Run::kEndless);
    run.configure(smallConfig("gpipe", 2, 4));
    run.iterate();
    RunConfig doubled = smallConfig("pipedream-2bw", processes, 4);
    doubled.recompute = Recompute::Full;
    run.configure(doubled);
    for (int i = 0; i < 3; ++i) run.iterate(Run::kEndless);
    run.dump(state.string() + ".dump");
    run.configure(smallConfig("pipedream", 1, 2));
    for (int i = 0; i < 3; ++i) run.iterate(Run::kEndless);
    run.configure(smallConfig("1f1b", processes, 4));
    run.iterate();
    run.load(state.string() + ".half");
    run.configure(pipedream);
    for (int i = 0; i < 3; ++i) run.iterate(Run::kEndless);
    run.save(state);
    return log.text;
}

}  // namespace bscope
