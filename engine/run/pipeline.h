// Pipeline: one plan at work: p workers on their threads, with their clock, their communicator and their
// recorders. Layers are borrowed from the training and go back when the pipeline is destroyed, so a change of
// the plan is a new pipeline over the same training. One thread calls iterate(); abort() from any thread.
// After a failure the pipeline is spent: destroy it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "run/local_communicator.h"
#include "run/run.h"
#include "run/thread_team.h"
#include "run/training.h"
#include "run/worker.h"
#include "timeline/timeline.h"

namespace bscope {

class Pipeline {
public:
    // Cores: usableCores(), at least p of them for Measured. patience: how long all ranks may stand still.
    Pipeline(Training& training, const Plan& plan, Provenance provenance, const std::vector<int>& cores,
             RunObserver& observer, std::chrono::milliseconds patience = std::chrono::seconds(2));

    // The next iteration of the training, on device clocks that all stand at start_ns. Throws RunFailure.
    IterationReport iterate(std::int64_t start_ns);
    // Device time at which the last iteration had ended, optimizer included.
    std::int64_t end_ns() const { return end_ns_; }
    // Events and memory of the last iteration.
    const Timeline& timeline() const { return timeline_; }

    const Plan& plan() const { return plan_; }
    // Only the training's part of the config may differ.
    void setTrainingConfig(const TrainingConfig& config) { plan_.config.training = config; }
    IterationStart describe(std::int64_t start_ns) const;
    void abort(const std::string& reason) { hub_.abort(reason); }
    // After a failure: some weights have made a step that others have not.
    bool weightsAreTorn() const;

private:
    void onEveryRank(const std::function<void(int rank)>& work);
    void warmUp();
    Timeline collectTimeline() const;
    Costs costs() const;
    double loss() const;
    void addHostFacts(IterationReport& report, std::int64_t host_ns) const;

    Training& training_;
    Plan plan_;
    RunObserver& observer_;
    std::string device_name_;
    Calibration calibration_;
    std::unique_ptr<Clock> clock_;
    LocalHub hub_;
    WatermarkBoard board_;
    std::vector<std::unique_ptr<Communicator>> communicators_;  // (p,)
    std::vector<std::unique_ptr<Recorder>> recorders_;          // (p,)
    std::vector<std::unique_ptr<Worker>> workers_;              // (p,)
    ThreadTeam team_;
    Timeline timeline_;
    bool warm_ = false;
    std::int64_t end_ns_ = 0;
};

}  // namespace bscope
