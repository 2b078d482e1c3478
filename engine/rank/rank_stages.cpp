#include "rank/rank_stages.h"

#include <algorithm>
#include <stdexcept>

#include "model/model.h"
#include "plan/plan_memory.h"

namespace bscope {

namespace {

// Where the layers of the rank's stages live; all in one place.
Device& deviceOf(const Plan& plan, int rank, const std::vector<Model*>& models) {
    const Schedule& schedule = plan.program.schedule;
    const auto stage =
        std::find(schedule.placement.begin(), schedule.placement.end(), rank) - schedule.placement.begin();
    const Model& model = *models.at(static_cast<std::size_t>(schedule.chainOf(static_cast<int>(stage))));
    return model.layer(firstLayer(plan.ranges.at(static_cast<std::size_t>(stage)))).device();
}

void perform(Stage& stage, const Action& action, float* input, float* output) {
    const Portion portion(action.microbatch, std::max(action.segment(), 0));
    switch (action.op) {
        case Op::Forward:
            stage.forward(portion, input, output);
            break;
        case Op::Recompute:
            stage.recompute(portion);
            break;
        case Op::Backward:
            stage.backward(portion, input, output);
            break;
        case Op::BackwardInput:
            stage.backwardInput(portion, input, output);
            break;
        case Op::BackwardWeight:
            stage.backwardWeight(portion);
            break;
        default:
            throw std::logic_error(toText(action) + " is no computation of a stage");
    }
}

}  // namespace

RankStages::RankStages(const Plan& plan, int rank, const std::vector<Model*>& models)
    : plan_(plan),
      rank_(rank),
      workplace_(deviceOf(plan, rank, models), plan.products()),
      stages_(static_cast<std::size_t>(plan.stages())),
      serving_(static_cast<std::size_t>(plan.stages())) {
    const Schedule& schedule = plan.program.schedule;
    for (int stage = 0; stage < plan.stages(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        if (schedule.placement[index] != rank) continue;
        Model& owner = *models.at(static_cast<std::size_t>(schedule.chainOf(stage)));
        if (plan.serving)
            serving_[index] =
                std::make_unique<ServingStage>(owner, workplace_, plan.ranges[index], *plan.serving);
        else
            stages_[index] = std::make_unique<Stage>(owner, workplace_, plan.stageOptions(stage));
    }
}

std::size_t RankStages::sharedFloats(int stage) const {
    const auto index = static_cast<std::size_t>(stage);
    if (serving_[index]) return serving_[index]->messageFloats();
    return std::max(stages_.at(index)->messageFloats() * plan_.shape.rowParts(),
                    stages_[index]->summandFloats());
}

// Of tokens and losses on each stage.
std::size_t RankStages::streamPlaces() const {
    return static_cast<std::size_t>(2 * plan_.stream->microbatches() + plan_.stream->warmUp());
}

void RankStages::reserve() {
    const Schedule& schedule = plan_.program.schedule;
    std::vector<Layer*> layers;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        if (!stages_[stage]) continue;
        const int chain = schedule.chainOf(static_cast<int>(stage));
        stages_[stage]->reserve(plan_.stream ? streamPlaces()
                                             : static_cast<std::size_t>(schedule.microbatchesOfChain(chain)));
        layers.insert(layers.end(), stages_[stage]->layers().begin(), stages_[stage]->layers().end());
    }
    if (!plan_.stream) return;
    stash_ = std::make_unique<WeightStash>(workplace_.device(), std::move(layers), 0);
    stash_->reserve(predictedVersions(plan_, rank_) - 1);
}

void RankStages::begin(const BatchView& batch) {
    for (const auto& stage : serving_)
        if (stage) stage->begin(batch.tokens);
    if (plan_.serving) return;
    const Schedule& schedule = plan_.program.schedule;
    const std::size_t all = static_cast<std::size_t>(schedule.params.microbatches());
    const std::size_t tokens = batch.tokens.size() / all;  // of one micro-batch
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        if (!stages_[stage]) continue;
        const int chain = schedule.chainOf(static_cast<int>(stage));
        const auto first = static_cast<std::size_t>(schedule.firstMicrobatch(chain)) * tokens;
        const auto m = static_cast<std::size_t>(schedule.microbatchesOfChain(chain));
        stages_[stage]->beginIteration(
            {batch.tokens.subspan(first, m * tokens), batch.targets.subspan(first, m * tokens)}, m, all);
    }
}

void RankStages::beginStream(int version) {
    for (const auto& stage : stages_)
        if (stage)
            stage->beginStream(streamPlaces(), static_cast<std::size_t>(plan_.program.schedule.step_every));
    stash_->restart(version);
}

void RankStages::load(int microbatch, const BatchView& samples) {
    for (const auto& stage : stages_)
        if (stage) stage->load(microbatch, samples);
}

void RankStages::zeroGradients() {
    for (const auto& stage : stages_)
        if (stage) stage->zeroGradients();
}

void RankStages::execute(const Action& action, float* input, float* output) {
    if (plan_.serving)
        return serving_.at(static_cast<std::size_t>(action.stage))->forward(action.microbatch, input, output);
    Stage* const stage = stages_.at(static_cast<std::size_t>(action.stage)).get();
    if (!stage) throw std::logic_error("stage " + std::to_string(action.stage) + " lives on another rank");
    const auto work = [&] { perform(*stage, action, input, output); };
    if (plan_.config.cuda_graphs)
        workplace_.ops().together(work);
    else
        work();
}

void RankStages::sumSquares() {
    for (const auto& stage : stages_)
        if (stage) stage->sumSquares();
}

void RankStages::gradientSquares(std::span<double> squares) {
    const Schedule& schedule = plan_.program.schedule;
    const std::size_t tensors = squares.size() / schedule.chains.size();
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        const auto chain = static_cast<std::size_t>(schedule.chainOf(static_cast<int>(stage)));
        if (stages_[stage]) stages_[stage]->gradientSquares(squares.subspan(chain * tensors, tensors));
    }
}

void RankStages::step(const AdamWStep& step) {
    for (const auto& stage : stages_)
        if (stage) stage->step(step);
}

std::size_t RankStages::bufferBytes() const {
    std::size_t bytes = workplace_.bufferBytes();
    for (const auto& stage : stages_)
        if (stage) bytes += stage->bufferBytes();
    for (const auto& stage : serving_)
        if (stage) bytes += stage->bufferBytes();
    return bytes;
}

std::size_t RankStages::optimizerBytes() const {
    std::size_t bytes = 0;
    for (const auto& stage : stages_)
        if (stage) bytes += stage->optimizerBytes();
    return bytes;
}

std::size_t RankStages::weightBytes() const {
    std::size_t bytes = 0;
    for (const auto& stage : stages_)
        if (stage) bytes += stage->weightBytes();
    for (const auto& stage : serving_)
        if (stage) bytes += stage->weightBytes();
    return bytes;
}

}  // namespace bscope
