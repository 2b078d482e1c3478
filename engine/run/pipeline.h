// Pipeline: one plan at work: a worker a rank on its thread, with their clock, their communicator and their
// recorders. Layers are borrowed from the training and go back when the pipeline is destroyed, so a change of
// the plan is a new pipeline over the same training; further replicas are the pipeline's own and go with it.
// One thread calls iterate() and drain(); abort() from any thread. After a failure the pipeline is spent:
// destroy it.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "crew/local_communicator.h"
#include "crew/local_gate.h"
#include "crew/thread_team.h"
#include "gpu/gpu_session.h"
#include "rank/worker.h"
#include "run/launcher.h"
#include "run/run.h"
#include "run/training.h"
#include "timeline/timeline.h"

namespace bscope {

class Pipeline final : public Executor {
public:
    // Cores: usableCores(), at least one a rank for Measured. patience: how long all ranks may stand still.
    // gpus: where a plan for Cuda runs, and its layers go; without them they go back to where they were made.
    Pipeline(Training& training, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
             RunObserver& observer, Gpus* gpus = nullptr,
             std::chrono::milliseconds patience = std::chrono::seconds(2));

    ~Pipeline() override;

    IterationReport iterate(std::int64_t start_ns, int more_to_come = 0) override;
    std::vector<IterationReport> drain() override;
    int iterationsAhead() const override;
    std::int64_t end_ns() const override { return end_ns_; }
    // Events and memory of the last iteration; of a stream also of the one before.
    const Timeline& timeline() const { return timeline_; }

    const Plan& plan() const { return plan_; }
    void setTrainingConfig(const TrainingConfig& config) override { plan_.config.training = config; }
    IterationStart describe(std::int64_t start_ns) const override;
    void abort(const std::string& reason) override;
    bool weightsAreTorn() const override;
    // Further replicas; the first is the training's own layers, so that nothing has to be brought home.
    bool keepsCopies() const override { return !replicas_.empty(); }
    void bringHome() override {}

    // All copies of the weights, bit by bit; true when there is one.
    bool replicasAreEqual() const;

private:
    void onEveryRank(const std::function<void(int rank)>& work);
    void launch(std::function<void(int rank)> work);
    void join();
    void warmUp();
    std::vector<Share> runFlushed(std::int64_t start_ns);
    void startStream(std::int64_t start_ns);
    std::vector<Share> nextOfStream();
    void finishStream();
    bool streams() const { return gate_ != nullptr; }
    IterationReport report(std::vector<Share>& shares, std::int64_t host_ns);
    LocalHub::Copy messageCopy();
    void addToTimeline(const std::vector<Share>& shares);
    double loss(const std::vector<Share>& shares) const;
    void addHostFacts(IterationReport& report, const std::vector<Share>& shares, std::int64_t host_ns) const;

    Training& training_;
    Plan plan_;
    RunObserver& observer_;
    Calibration calibration_;
    WatermarkBoard board_;
    std::unique_ptr<GpuSession> gpus_;  // null on the CPU
    std::string device_name_;
    std::unique_ptr<Clock> clock_;
    LocalHub hub_;
    std::vector<std::unique_ptr<Model>> replicas_;              // of all chains but the first
    std::vector<std::unique_ptr<Communicator>> communicators_;  // (ranks,)
    std::vector<std::unique_ptr<Recorder>> recorders_;          // (ranks,)
    std::vector<std::unique_ptr<Worker>> workers_;              // (ranks,)
    std::function<void(int)> job_;
    std::vector<std::exception_ptr> errors_;  // (ranks,) of the job
    std::mutex gate_mutex_;                   // of the pointer, which abort() reads
    std::unique_ptr<LocalGate> gate_;         // while a stream is running
    std::int64_t host_end_ns_ = 0;            // of the iteration reported last
    ThreadTeam team_;
    Timeline timeline_;
    bool warm_ = false;
    std::int64_t start_ns_ = 0, end_ns_ = 0;  // device clocks, of the last iteration
};

}  // namespace bscope
