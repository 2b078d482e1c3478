// Run: trains one model under a RunConfig, iteration by iteration; the only way to train for the server, the
// command line and the tests. iterate() blocks and is called by one thread; configure(), abort() may be
// called from any thread. Weights, optimizer state and the position in the data live on through every change
// of schedule, p, v, m, micro-batch size, split, recompute and link: the loss curve goes on.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "plan/failure.h"
#include "plan/observer.h"
#include "report/report.h"

namespace bscope {

class Launcher;

class Run {
public:
    // Throws ConfigError with every problem (illegal values, memory cap, too few cores for a demanded clock,
    // unreadable data file). Ranks are threads unless there is a launcher, which must outlive the run.
    Run(const RunConfig& config, RunObserver& observer, Launcher* launcher = nullptr);
    ~Run();

    // What would be illegal about going on with this config. Changes nothing.
    std::vector<Problem> check(const RunConfig& config) const;
    // Takes effect at the start of the next iteration. Throws ConfigError. True when the model's shape, seed
    // or data changed, so that training starts anew.
    bool configure(const RunConfig& config);
    const RunConfig& config() const;  // of the last or current iteration

    // One iteration: m micro-batches, backward, optimizer step. more_to_come: calls that will follow,
    // kEndless when that is not known; an asynchronous schedule begins the next iterations without
    // waiting for the calls, and is drained with the last. Throws RunFailure; also after an iteration whose
    // loss or gradient norm is no finite number, which was reported to the observer like any other.
    IterationReport iterate(int more_to_come = 0);
    static constexpr int kEndless = 1 << 20;
    // Makes a running iterate() throw RunFailure(reason) soon. Any thread.
    void abort(const Sentence& reason);
    // Asked when iterate() begins, so that a request that came just before it is not lost. Set while nothing
    // runs.
    void abortWhen(std::function<bool()> is_requested);

    int nextIteration() const;
    // Iterations of an asynchronous schedule that will have begun when iterate(kEndless) returns: a new
    // configuration waits for them, and so do save, load and dump. They are reported to the observer.
    int iterationsAhead() const;

    // Weights, optimizer state, iteration and position in the data, as safetensors. Throw RunFailure; save()
    // as StateNotWritten when there is nothing wrong with the run. What is not finite is never written.
    void save(const std::filesystem::path& file);
    void load(const std::filesystem::path& file);
    // Runs one iteration and writes config.json, initial, batch, gradients (before clipping and optimizer)
    // and final .safetensors into the folder.
    IterationReport dump(const std::filesystem::path& folder);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
