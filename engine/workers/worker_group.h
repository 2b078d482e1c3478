// WorkerGroup: the ranks of one plan, wherever they live: as threads of this process (ThreadWorkers) or as
// processes under mpirun (engine/mpi). The one who owns a worker group gives it work, an iteration with a
// flush or an endless stream, and takes the shares of all ranks, iteration by iteration; a worker group has
// no access to the training and writes no report. Launcher makes worker groups, and says what they can run.
// One thread calls a worker group but for stop(), which any may; Launcher::decided() and problems() from any.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/tracing_cost.h"
#include "model/text_data.h"
#include "plan/failure.h"
#include "plan/plan.h"
#include "rank/rank_iteration.h"
#include "rank/stream_gate.h"

namespace bscope {

class Model;
class LiveEvents;

// The next iteration of a training; of an asynchronous schedule the first of a stream.
struct Work {
    int iteration = 0;
    std::int64_t start_ns = 0;         // where all device clocks stand
    std::int64_t optimizer_steps = 0;  // done before
    TrainingConfig training;
    Batch batch;                                   // (m B, T); of a stream one micro-batch, to warm up with
    std::function<Batch(int microbatch)> samples;  // of a stream; any thread
};

// What the report of an iteration says of those who ran it, beside their shares.
struct WorkerGroupFacts {
    Provenance provenance = Provenance::Reconstructed;
    std::string device;                       // "CPU, 2 cores", "4 x NVIDIA H200, bf16"
    std::int64_t run_ns = 0;                  // that the last iteration with a flush took on this host
    std::optional<TracingFacts> tracing;      // GPUs, of the last iteration
    std::optional<double> clock_residual_us;  // processes with measured times
    // Some weights have made a step that others have not, or no rank has them any more. While a stream runs
    // that is so at any time.
    bool is_partially_stepped = false;
    // Ranks compute with copies: a model that was changed from outside needs another worker group.
    bool keeps_copies = false;
};

class WorkerGroup {
public:
    virtual ~WorkerGroup() = default;

    // Throws RunFailure, as all below; the worker group is then spent.
    virtual void begin(Work work) = 0;
    // What every rank did in the next iteration, (ranks,), complete: a share says how much of it was reported
    // live. Of a stream the ranks run on meanwhile, as far as admitted. With the last iteration of a stream
    // all ranks are done.
    virtual std::vector<RankIteration> next() = 0;
    // What may enter the stream at work; admissions only grow.
    virtual void admit(const Admission& admission) = 0;
    // Makes a running next() throw RunFailure(reason) soon. Any thread.
    virtual void stop(const Sentence& reason) = 0;
    // The model has what the ranks have learned, and their last gradients.
    virtual void gatherLayers() = 0;
    virtual WorkerGroupFacts facts() const = 0;
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
    // The plan's config must have no problems; model and receiver must outlive the worker group. live:
    // receives what can be reported while it happens. Throws RunFailure.
    virtual std::unique_ptr<WorkerGroup> launch(Model& model, const Plan& plan, LiveEvents& live) = 0;
    // Looks whether all ranks are still there, between iterations. What to say when some are gone for good:
    // this program can then only end. news: how long to wait for word from other machines; kNews when this
    // process was signalled to end, perhaps because another one has.
    virtual std::optional<RunFailure> lost(std::chrono::milliseconds /*news*/) { return std::nullopt; }
    static constexpr std::chrono::milliseconds kNews{300};
};

// Ranks as threads of this process, on its cores or its GPUs. A model that has been on its GPUs must not
// outlive it.
std::unique_ptr<Launcher> makeThreadLauncher();

// "CPU, 2 cores"
std::string deviceName(const Device& device, std::size_t cores);

}  // namespace bscope
