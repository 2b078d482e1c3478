// Stage: the layers of one pipeline stage at work. It borrows them from the Model (which owns weights,
// gradients and optimizer state), and holds per micro-batch what its backward will read. Invariant: gradients
// accumulate in the order of the calls, and backward(mb) is bitwise backwardInput(mb) followed by
// backwardWeight(mb); so for one m every schedule that keeps micro-batch order gives the same bits. One
// rank's thread at a time; two stages share nothing but the workplace of their rank.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "kernels/ops.h"
#include "model/layer.h"
#include "model/shape.h"
#include "model/workplace.h"

namespace bscope {

class Model;

// Host memory, (m * B, T) each; micro-batch i is rows i*B .. (i+1)*B-1.
struct BatchView {
    std::span<const std::int32_t> tokens;
    std::span<const std::int32_t> targets;
};

struct StageOptions {
    StageRange range;
    std::size_t micro_batch = 1;  // B
    Checkpointing checkpointing = Checkpointing::None;
    bool forward_only = false;  // nothing is kept and there is no backward
};

class Stage {
public:
    // Model and workplace must outlive the stage; no other stage of the same model may share a layer.
    // Throws std::invalid_argument when the range is not inside the model.
    Stage(Model& model, Workplace& workplace, const StageOptions& options);

    const StageOptions& options() const { return options_; }
    bool isFirst() const { return options_.range.embedding; }
    bool isLast() const { return options_.range.head; }
    // floats of one message between stages, activation or gradient: B * T * C
    std::size_t messageFloats() const;

    // Start of an iteration of m micro-batches: takes what it needs of the batch, zeroes the gradients
    // (unless forward-only), forgets the losses. Throws std::logic_error while a micro-batch is still in
    // flight.
    void beginIteration(const BatchView& batch, std::size_t m);
    // After an iteration that was broken off: gives back what is kept of every micro-batch.
    void abandon() { kept_.clear(); }

    // input: (B, T, C), ignored on the first stage; output: (B, T, C), ignored on the last. Both the
    // caller's.
    void forward(int mb, const float* input, float* output);
    // Under checkpointing, directly before backward(mb) or backwardInput(mb); there is nothing to do with
    // None.
    void recompute(int mb);
    // output_gradient: (B, T, C), ignored on the last stage; input_gradient: (B, T, C), ignored on the first.
    void backward(int mb, float* output_gradient, float* input_gradient);
    void backwardInput(int mb, const float* output_gradient, float* input_gradient);
    void backwardWeight(int mb);

    // Mean cross-entropy of that micro-batch, nats; last stage, after forward(mb). The gradient is of the
    // mean over all m micro-batches: the iteration's loss is the sum of loss(mb), mb ascending, divided by m.
    double loss(int mb) const;

    // Optimizer, after all backwards. Writes this stage's sums of squared gradients into `squares`, one
    // double a tensor in the model's order (Model::tensorCount() in all); others' entries are left alone.
    // gradientNorm() (optimizer.h) combines them.
    void gradientSquares(std::span<double> squares);
    void step(const AdamWStep& step);

    std::size_t weightBytes() const;  // of the borrowed layers; gradients have as many, the optimizer twice
    std::size_t bufferBytes() const;  // the stage's own copies of tokens and targets
    std::size_t inFlight() const { return kept_.size(); }  // micro-batches between F and the end of B or W

private:
    Pass pass(int mb) const;
    std::vector<Stash>& kept(int mb);
    void dropAfterForward(std::size_t layer, Stash& stash) const;
    void runForward(const Pass& pass, std::vector<Stash>& stashes, Slot input, float* output, bool drop);

    Model* model_;
    Workplace* workplace_;
    StageOptions options_;
    std::size_t first_layer_;  // place of layers_[0] in the model
    std::vector<Layer*> layers_;
    std::map<int, std::vector<Stash>> kept_;  // by micro-batch: a stash for each layer
    Buffer tokens_, targets_, losses_;
    std::size_t m_ = 0;
};

}  // namespace bscope
