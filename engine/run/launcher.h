// Executor: one plan at work, whoever runs its ranks: threads (Pipeline) or processes (engine/mpi). Launcher:
// who makes executors. Run knows no more of either than this. One thread calls; Executor::abort() and
// Launcher::decided() and problems() from any.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/failure.h"
#include "plan/plan.h"
#include "timeline/report.h"

namespace bscope {

class RunObserver;
struct Training;

class Executor {
public:
    virtual ~Executor() = default;

    // The next iteration of the training, on device clocks that all stand at start_ns. An asynchronous
    // schedule goes on where it was; with more_to_come > 0 its ranks begin the next iterations without
    // waiting for the call; after so many it is drained. Throws RunFailure; the executor is then spent.
    virtual IterationReport iterate(std::int64_t start_ns, int more_to_come = 0) = 0;
    // Lets everything in flight come home: the iterations that were begun, in order. Empty unless the
    // schedule is asynchronous. Throws RunFailure.
    virtual std::vector<IterationReport> drain() = 0;
    // Iterations that drain() would return when called after iterate(start_ns, many).
    virtual int iterationsAhead() const = 0;
    // Device time at which the last iteration had ended, optimizer included.
    virtual std::int64_t end_ns() const = 0;
    virtual IterationStart describe(std::int64_t start_ns) const = 0;
    // Only the training's part of the config may differ. Not while a stream is running.
    virtual void setTrainingConfig(const TrainingConfig& config) = 0;
    // Makes a running iterate() throw RunFailure(reason) soon.
    virtual void abort(const std::string& reason) = 0;

    // After a failure: some weights have made a step that others have not, or nobody has them any more.
    virtual bool weightsAreTorn() const = 0;
    // Ranks compute with copies: a training that somebody else has changed needs another executor.
    virtual bool keepsCopies() const = 0;
    // The training has what the ranks have learned, and the last gradients. Throws RunFailure.
    virtual void bringHome() = 0;
};

class Launcher {
public:
    virtual ~Launcher() = default;
    // The same with its device decided: no longer auto. Everything else here takes a decided config.
    virtual RunConfig decided(RunConfig config) const {
        if (config.device == DeviceChoice::Auto) config.device = DeviceChoice::Cpu;
        return config;
    }
    // What keeps this launcher from running the config. plan: the config's, null when it has problems of its
    // own.
    virtual std::vector<Problem> problems(const RunConfig& config, const Plan* plan) const = 0;
    // The config must have no problems; training and observer must outlive the executor. Throws RunFailure.
    virtual std::unique_ptr<Executor> launch(Training& training, const RunConfig& config,
                                             RunObserver& observer) = 0;
    // Looks whether all ranks are still there, between iterations. What to say when some are gone for good:
    // this program can then only end. news: how long to wait for word from other machines; kNews when this
    // process was told to end, perhaps because another one has.
    virtual std::optional<RunFailure> lost(std::chrono::milliseconds /*news*/) { return std::nullopt; }
    static constexpr std::chrono::milliseconds kNews{300};
};

// Ranks as threads of this process, on its cores or its GPUs. A training that has run on its GPUs must not
// outlive it.
std::unique_ptr<Launcher> makeThreadLauncher();

}  // namespace bscope
