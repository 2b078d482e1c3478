// RankStages: the stages that live on one rank, with the workplace they share. Layers are borrowed from the
// model. One thread at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/stage.h"
#include "run/plan.h"

namespace bscope {

struct AdamWStep;

class RankStages {
public:
    // The model must outlive this.
    RankStages(const Plan& plan, int rank, Model& model);

    Workplace& workplace() { return workplace_; }
    // (stages,) of the whole pipeline, null where the stage lives on another rank.
    const std::vector<std::unique_ptr<Stage>>& all() const { return stages_; }

    // Start of an iteration of m micro-batches a chain.
    void begin(const BatchView& batch, int m);
    // F, R, B, I or W; returns when it is done. Throws std::logic_error when the stage lives elsewhere.
    void execute(const Action& action, float* input, float* output);
    // As Stage::gradientSquares and Stage::step, over all stages here.
    void gradientSquares(std::span<double> squares);
    void step(const AdamWStep& step);

    std::size_t bufferBytes() const;  // working space and the stages' copies of the batch
    std::size_t weightBytes() const;

private:
    Workplace workplace_;
    std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace bscope
