// Worker: one rank. A loop over the actions of its program; it owns the rank's stages and the tensors that
// wait for their consumer. Everything but the constructor and the results is called in the rank's own thread.
#pragma once

#include <vector>

#include "kernels/communicator.h"
#include "run/clock.h"
#include "run/messages.h"
#include "run/plan.h"
#include "run/rank_stages.h"
#include "run/recorder.h"

namespace bscope {

struct AdamWStep;

class Worker {
public:
    // All references must outlive the worker.
    Worker(const Plan& plan, int rank, Model& model, Clock& clock, Communicator& communicator,
           Recorder& recorder);

    // Kernels compiled, memory touched; no number of the training changes.
    void warmUp(const BatchView& one_microbatch);
    // One iteration of the program. AdamWStep's gradient_scale is found here. Throws what goes wrong;
    // action() then says where.
    void run(const BatchView& batch, int iteration, const AdamWStep& step, double clip_norm);

    // Of the last iteration.
    const Action& action() const { return current_; }
    bool stepBegun() const { return step_begun_; }
    double gradientNorm() const { return gradient_norm_; }
    const std::vector<DurationSample>& samples() const { return samples_; }
    double wallOverCpu() const;

    const RankStages& stages() const { return stages_; }
    std::size_t bufferBytes() const { return stages_.bufferBytes() + messages_.reservedBytes(); }

private:
    void postReceive(const Action& action);
    void compute(const Action& action);
    void send(const Action& action);
    void stepOptimizer(AdamWStep step, double clip_norm);
    float* await(const MessageTag& tag);
    void record(const Action& action, const OpTime& time);
    int rankOf(int stage) const { return schedule_.placement.at(static_cast<std::size_t>(stage)); }

    const Plan& plan_;
    const Schedule& schedule_;
    const int rank_;
    Clock& clock_;
    Communicator& communicator_;
    Recorder& recorder_;
    RankStages stages_;
    MessageStore messages_;

    Action current_;
    bool step_begun_ = false;
    double gradient_norm_ = 0;
    std::vector<double> exchange_;  // squares by tensor, then a device clock a rank
    std::vector<DurationSample> samples_;
    std::int64_t wall_ns_ = 0, cpu_ns_ = 0;
};

}  // namespace bscope
