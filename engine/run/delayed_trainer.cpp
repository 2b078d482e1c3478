#include "run/delayed_trainer.h"

#include <algorithm>

#include "model/optimizer.h"
#include "rank/optimizer_step.h"

namespace bscope {

DelayedTrainer::DelayedTrainer(Device& home, Device& device, const Plan& plan)
    : plan_(plan), training_(home, plan.config), device_(device), workplace_(device, plan.products()) {
    home.prepareThread();
    device.prepareThread();
    for (std::size_t layer = 0; layer < training_.model.layerCount(); ++layer)
        training_.model.layer(layer).moveTo(device);
    const auto step_every = static_cast<std::size_t>(plan.program.schedule.step_every);
    versions_.resize(static_cast<std::size_t>(plan.stages()));
    for (int stage = 0; stage < plan.stages(); ++stage) {
        stages_.push_back(std::make_unique<Stage>(training_.model, workplace_, plan.stageOptions(stage)));
        stages_.back()->beginStream(1, step_every);
        keep(stage, 0);
    }
}

void DelayedTrainer::keep(int stage, int version) {
    const auto index = static_cast<std::size_t>(stage);
    workplace_.stream().synchronize();
    Weights& kept = versions_[index][version];
    for (const Layer* layer : stages_[index]->layers()) {
        kept.emplace_back(layer->parameterFloats());
        device_.copy(kept.back().data(), layer->weights(), layer->parameterFloats() * sizeof(float));
    }
}

// PipeDream (SOSP'19), 2BW (arXiv:2006.09503).
int DelayedTrainer::versionOf(int stage, int microbatch) const {
    const Schedule& schedule = plan_.program.schedule;
    if (schedule.weights == WeightRule::DoubleBuffer)
        return std::max(0, microbatch / schedule.step_every - 1);
    const int in_front = schedule.params.vertical_sync ? 0 : stage;
    return std::max(0, microbatch - (plan_.stages() - 1 - in_front));
}

void DelayedTrainer::install(int stage, int version) {
    const auto index = static_cast<std::size_t>(stage);
    const Weights& weights = versions_[index].at(version);
    workplace_.stream().synchronize();
    for (std::size_t i = 0; i < weights.size(); ++i)
        device_.copy(stages_[index]->layers()[i]->weights(), weights[i].data(),
                     weights[i].size() * sizeof(float));
    stages_[index]->takeWeights();
}

double DelayedTrainer::train(int microbatch) {
    const auto samples = static_cast<std::size_t>(plan_.config.micro_batch);
    const Batch batch =
        training_.data.batch(static_cast<std::uint64_t>(microbatch) * samples, samples, plan_.shape.T);
    Buffer message(device_, plan_.messageBytes()), result(device_, plan_.messageBytes());
    for (int stage = 0; stage < plan_.stages(); ++stage) {
        install(stage, versionOf(stage, microbatch));
        Stage& each = *stages_[static_cast<std::size_t>(stage)];
        each.load(microbatch, {batch.tokens, batch.targets});
        each.forward(microbatch, message.as<float>(), result.as<float>());
        std::swap(message, result);
    }
    for (int stage = plan_.stages() - 1; stage >= 0; --stage) {
        Stage& each = *stages_[static_cast<std::size_t>(stage)];
        each.recompute(microbatch);
        each.backward(microbatch, message.as<float>(), result.as<float>());
        std::swap(message, result);
    }
    return stages_.back()->loss(microbatch);
}

void DelayedTrainer::step(int stage) {
    const auto index = static_cast<std::size_t>(stage);
    Stage& each = *stages_[index];
    install(stage, steps_done_);
    std::vector<double> squares(training_.model.tensorCount());
    each.sumSquares();
    each.gradientSquares(squares);
    const TrainingConfig& training = plan_.config.training;
    AdamWStep step = adamWStep(training, steps_done_ + 1);
    step.gradient_scale = clipFactor(gradientNorm(squares), training.clip_norm);
    each.step(step);
    each.zeroGradients();
    keep(stage, steps_done_ + 1);
}

double DelayedTrainer::iterate() {
    const int m = plan_.config.params.m;
    double sum = 0;
    for (int i = 0; i < m; ++i) {
        sum += train(microbatches_done_++);
        if (microbatches_done_ % plan_.program.schedule.step_every != 0) continue;
        for (int stage = 0; stage < plan_.stages(); ++stage) step(stage);
        ++steps_done_;
    }
    return sum / m;
}

}  // namespace bscope
