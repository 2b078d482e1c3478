// DelayedTrainer: one rank that trains with the delayed updates of an asynchronous schedule, for verify():
// one micro-batch after the other through all stages, every stage with the version of its weights that the
// schedule's definition names. It has no streams, messages or stashes: it keeps every version.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/stage.h"
#include "plan/plan.h"
#include "run/training.h"

namespace bscope {

class DelayedTrainer {
public:
    // The plan of an asynchronous schedule. The layers are created on the CPU (home) and compute on the
    // device.
    DelayedTrainer(Device& home, Device& device, const Plan& plan);

    // Mean loss of the next m micro-batches.
    double iterate();
    const Model& model() const { return training_.model; }

private:
    using Weights = std::vector<std::vector<float>>;  // (layers of the stage,)

    int versionOf(int stage, int microbatch) const;
    double train(int microbatch);
    void step(int stage);
    void install(int stage, int version);
    void keep(int stage, int version);

    const Plan plan_;
    Training training_;
    Device& device_;
    Workplace workplace_;
    std::vector<std::unique_ptr<Stage>> stages_;    // (p,)
    std::vector<std::map<int, Weights>> versions_;  // (p,)
    int microbatches_done_ = 0, steps_done_ = 0;
};

}  // namespace bscope
