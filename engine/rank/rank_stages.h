// RankStages: the stages that live on one rank, with the workplace they share. Layers are borrowed from the
// model. One thread at a time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/stage.h"
#include "model/weight_stash.h"
#include "plan/plan.h"

namespace bscope {

struct AdamWStep;

class RankStages {
public:
    // The rank computes on the device where the layers of its stages live.
    // models: (replicas,) where the stages of each chain borrow their layers; they must outlive this. May
    // name one model twice, but not for two chains on this rank.
    RankStages(const Plan& plan, int rank, const std::vector<Model*>& models);

    Workplace& workplace() { return workplace_; }
    const Workplace& workplace() const { return workplace_; }
    // (stages,) of the whole pipeline, null where the stage lives on another rank.
    const std::vector<std::unique_ptr<Stage>>& all() const { return stages_; }

    Stage& stage(int stage) { return *stages_.at(static_cast<std::size_t>(stage)); }
    // Serving: as all(), which are null then.
    const std::vector<std::unique_ptr<ServingStage>>& serving() const { return serving_; }
    // That its shards add up or gather at a time, at most.
    std::size_t sharedFloats(int stage) const;

    // All memory that iterations or a stream will need, before messages are under way: a GPU may have to be
    // idle for memory to be taken or given back, and cannot while a receive spins.
    void reserve();
    // Start of an iteration; every chain takes its part of the batch. Serving: all prompts.
    void begin(const BatchView& batch);
    // Start of an endless stream from the given version of the weights, and its end, when nothing is in
    // flight any more. After reserve().
    void beginStream(int version);
    void endStream() { stash_->restart(stash_->newest()); }
    WeightStash& stash() { return *stash_; }
    // One micro-batch of a stream, before its forward.
    void load(int microbatch, const BatchView& samples);
    void zeroGradients();
    // F, R, B, I or W, handed to the rank's stream. Throws std::logic_error when the stage lives elsewhere.
    void execute(const Action& action, float* input, float* output);
    // As Stage::sumSquares, gradientSquares and step, over all stages here. squares: (chains, tensors).
    void sumSquares();
    void gradientSquares(std::span<double> squares);
    void step(const AdamWStep& step);

    std::size_t bufferBytes() const;  // working space and the stages' copies of the batch
    std::size_t weightBytes() const;  // of every stage here, the newest version
    std::size_t optimizerBytes() const;

private:
    std::size_t streamPlaces() const;

    const Plan& plan_;
    const int rank_;
    Workplace workplace_;
    std::vector<std::unique_ptr<Stage>> stages_;
    std::vector<std::unique_ptr<ServingStage>> serving_;
    std::unique_ptr<WeightStash> stash_;  // asynchronous schedules
};

}  // namespace bscope
