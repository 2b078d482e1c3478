#include "run/rank_stages.h"

#include <stdexcept>

#include "model/model.h"

namespace bscope {

RankStages::RankStages(const Plan& plan, int rank, Model& model)
    : workplace_(model.device()), stages_(static_cast<std::size_t>(plan.stages())) {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage)
        if (plan.program.schedule.placement[stage] == rank)
            stages_[stage] =
                std::make_unique<Stage>(model, workplace_, plan.stageOptions(static_cast<int>(stage)));
}

void RankStages::begin(const BatchView& batch, int m) {
    for (const auto& stage : stages_)
        if (stage) stage->beginIteration(batch, static_cast<std::size_t>(m));
}

void RankStages::execute(const Action& action, float* input, float* output) {
    const std::unique_ptr<Stage>& stage = stages_.at(static_cast<std::size_t>(action.stage));
    if (!stage) throw std::logic_error("stage " + std::to_string(action.stage) + " lives on another rank");
    switch (action.op) {
        case Op::Forward:
            stage->forward(action.microbatch, input, output);
            break;
        case Op::Recompute:
            stage->recompute(action.microbatch);
            break;
        case Op::Backward:
            stage->backward(action.microbatch, input, output);
            break;
        case Op::BackwardInput:
            stage->backwardInput(action.microbatch, input, output);
            break;
        case Op::BackwardWeight:
            stage->backwardWeight(action.microbatch);
            break;
        default:
            throw std::logic_error(toText(action) + " is no computation of a stage");
    }
    workplace_.stream().synchronize();
}

void RankStages::gradientSquares(std::span<double> squares) {
    for (const auto& stage : stages_)
        if (stage) stage->gradientSquares(squares);
    workplace_.stream().synchronize();
}

void RankStages::step(const AdamWStep& step) {
    for (const auto& stage : stages_)
        if (stage) stage->step(step);
    workplace_.stream().synchronize();
}

std::size_t RankStages::bufferBytes() const {
    std::size_t bytes = workplace_.bufferBytes();
    for (const auto& stage : stages_)
        if (stage) bytes += stage->bufferBytes();
    return bytes;
}

std::size_t RankStages::weightBytes() const {
    std::size_t bytes = 0;
    for (const auto& stage : stages_)
        if (stage) bytes += stage->weightBytes();
    return bytes;
}

}  // namespace bscope
