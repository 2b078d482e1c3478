// Pipeline: one plan at work over a workload, whatever its ranks are: it gives a worker group the next
// iteration, reads the shares of all ranks, and makes of them what they mean: events, times, memory, the
// report. A change of the plan is a new pipeline over the same workload. One thread calls; abort() from any.
// After a failure the pipeline is spent: destroy it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/observer.h"
#include "run/stream_intake.h"
#include "run/workload.h"
#include "timeline/timeline.h"
#include "workers/worker_group.h"

namespace bscope {

class Pipeline {
public:
    // The worker group is of that plan and of what the workload works with. Workload and observer must
    // outlive this.
    Pipeline(Workload& workload, const Plan& plan, std::unique_ptr<WorkerGroup> workers,
             RunObserver& observer);

    // The next iteration of the workload, on device clocks that all stand at start_ns. An asynchronous
    // schedule goes on where it was; with more_to_come > 0 its ranks begin the next iterations without
    // waiting for the call; after so many it is drained. Throws RunFailure.
    IterationReport iterate(std::int64_t start_ns, int more_to_come = 0);
    // Completes the iterations that were begun: their reports, in order. Empty unless the schedule is
    // asynchronous. Throws RunFailure.
    std::vector<IterationReport> drain();
    // Iterations that drain() would return when called after iterate(start_ns, many).
    int iterationsAhead() const;
    // Device time at which the last iteration had ended, optimizer included.
    std::int64_t end_ns() const { return end_ns_; }
    IterationStart describe(std::int64_t start_ns) const;
    // Events and memory of the last iteration; of a stream also of the one before.
    const Timeline& timeline() const { return timeline_; }
    const Plan& plan() const { return plan_; }

    // Only the training's part of the config may differ. Not while a stream is running.
    void setTrainingConfig(const TrainingConfig& config) { plan_.config.training = config; }
    // Makes a running iterate() throw RunFailure(reason) soon.
    void abort(const Sentence& reason) { workers_->stop(reason); }

    // As WorkerGroupFacts says.
    bool isPartiallyStepped() const { return workers_->facts().is_partially_stepped; }
    bool keepsCopies() const { return workers_->facts().keeps_copies; }
    // The model has what the ranks have learned, and the last gradients. Throws RunFailure.
    void gatherLayers() { workers_->gatherLayers(); }

private:
    bool streams() const { return intake_.has_value(); }
    void begin(std::int64_t start_ns);
    IterationReport next();
    void reportRest(const std::vector<RankIteration>& shares);
    IterationReport report(const std::vector<RankIteration>& shares, const WorkerGroupFacts& facts,
                           std::int64_t host_ns);

    Workload& workload_;
    Plan plan_;
    const std::unique_ptr<WorkerGroup> workers_;
    const Provenance provenance_;
    RunObserver& observer_;
    Calibration calibration_;
    std::optional<StreamIntake> intake_;  // while a stream is running
    Timeline timeline_;
    std::int64_t start_ns_ = 0, end_ns_ = 0;  // device clocks, of the last iteration
    std::int64_t host_end_ns_ = 0;            // monotonic, of the iteration of a stream reported last
};

}  // namespace bscope
