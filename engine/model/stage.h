// Stage: the layers of one pipeline stage at work. It borrows them from the Model (which owns weights,
// gradients and optimizer state), and holds per micro-batch what its backward will read. Invariant: gradients
// accumulate in the order of the calls, and backward(mb) is bitwise backwardInput(mb) followed by
// backwardWeight(mb); so for one m every schedule that keeps micro-batch order gives the same bits. Where
// sequences are cut, segments take the place of micro-batches: forwards of one micro-batch in their order,
// backwards in reverse, and those of one micro-batch are over before another one's begin. One rank's thread
// at a time; two stages share nothing but the workplace of their rank.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "kernels/ops.h"
#include "model/layer.h"
#include "model/workplace.h"
#include "shape/shape.h"

namespace bscope {

class Model;

// A micro-batch, or one of the segments its sequences are cut into: what one operation works on.
struct Portion {
    Portion(int its_microbatch, int its_segment = 0) : microbatch(its_microbatch), segment(its_segment) {}
    int microbatch, segment;
    auto operator<=>(const Portion&) const = default;
};

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
    // Of all the stage's numbers side by side, what it adds up to the norm of the gradients: its copies in
    // other replicas have the others. Under ZeRO it steps these alone.
    std::optional<FloatSlice> slice = std::nullopt;  // all
    std::size_t segments = 1;                        // that every sequence is cut into
};

class Stage {
public:
    // Model and workplace must outlive the stage; no other stage of the same model may share a layer.
    // Throws std::invalid_argument when the range is not inside the model.
    Stage(Model& model, Workplace& workplace, const StageOptions& options);

    const StageOptions& options() const { return options_; }
    bool isFirst() const { return options_.range.embedding; }
    bool isLast() const { return options_.range.head; }
    // floats of one message between stages, activation or gradient: B * T * C, of a segment a q-th of them,
    // with sequence parallelism a t-th
    std::size_t messageFloats() const;

    // Memory for the tokens and losses of that many micro-batches, so that a begin with as many takes none.
    void reserve(std::size_t places);
    // Start of an iteration: takes what it needs of the batch, m micro-batches, zeroes the gradients (unless
    // forward-only), forgets the losses. The gradient is that of the mean over `all` micro-batches, those of
    // the other replica included. Throws std::logic_error while a micro-batch is still in flight.
    void beginIteration(const BatchView& batch, std::size_t m, std::size_t all);
    void beginIteration(const BatchView& batch, std::size_t m) { beginIteration(batch, m, m); }
    // Start of an endless stream instead, with an optimizer step every step_microbatches. Tokens and losses
    // of the last `places` micro-batches are remembered.
    void beginStream(std::size_t places, std::size_t step_microbatches);
    // Takes what it needs of micro-batch mb, B samples; before its forward.
    void load(int mb, const BatchView& samples);
    void zeroGradients();
    // After a change of the weights from outside since the begin: from now on it is these that are read.
    void takeWeights();
    // After an iteration that was broken off: gives back what is kept of every micro-batch.
    void abandon() { kept_.clear(); }

    // input: (B, T, C), T of a segment where there are some, ignored on the first stage; output: (B, T, C),
    // ignored on the last. Both the caller's.
    void forward(Portion portion, const float* input, float* output);
    // Under checkpointing, directly before backward() or backwardInput(); there is nothing to do with
    // None, and with FullByLayer, where those do it.
    void recompute(Portion portion);
    // output_gradient: (B, T, C), ignored on the last stage; input_gradient: (B, T, C), ignored on the first.
    void backward(Portion portion, float* output_gradient, float* input_gradient);
    void backwardInput(Portion portion, const float* output_gradient, float* input_gradient);
    void backwardWeight(Portion portion);

    // Mean cross-entropy of that micro-batch, all its segments, nats; last stage, after its forwards. The
    // gradient is of the mean over all m micro-batches: the iteration's loss is the sum of loss(mb), mb
    // ascending, divided by m.
    double loss(int mb) const;

    // Optimizer, after all backwards. First the sums of squared gradients, of its slice, on the stream.
    void sumSquares();
    // Waits for them and writes them into `squares`, one double a tensor in the model's order
    // (Model::tensorCount() in all); others' entries are left alone, and so are those of tensors that its
    // slice has nothing of and, but on shard 0, those of tensors that every shard has whole. gradientNorm()
    // (optimizer.h) combines them.
    void gradientSquares(std::span<double> squares);
    // Of the numbers whose optimizer state is here.
    void step(const AdamWStep& step);
    // All gradients side by side, weightBytes() of them, for the sum over the replicas; and the sum of those
    // of a slice, which take the place of all gradients: the others are 0.
    void copyGradients(float* to) const;
    void replaceGradients(const float* from, const FloatSlice& slice);
    // Weights side by side: those of the slice to their place among all, and all of them from there.
    void copyWeights(float* to, const FloatSlice& slice) const;
    void replaceWeights(const float* from);
    // All its numbers, and what of them is stepped and added up here.
    FloatSlice whole() const { return {0, gradientFloats()}; }
    FloatSlice slice() const { return options_.slice.value_or(whole()); }
    // With sequence parallelism each shard has a summand of some gradients, those of LayerNorms: side by
    // side, and what takes their place.
    std::size_t summandFloats() const;
    void copySummands(float* to) const;
    void takeSums(const float* from);

    std::span<Layer* const> layers() const { return layers_; }

    std::size_t weightBytes() const;     // of the borrowed layers; gradients have as many
    std::size_t optimizerBytes() const;  // twice as many, or under ZeRO those of its slice
    // The stage's own copies of tokens and targets, the gradients of a cut sequence's keys and values, and
    // the weights as operands where those are not fp32.
    std::size_t bufferBytes() const;
    std::size_t inFlight() const { return kept_.size(); }  // pieces between F and the end of B or W
    std::size_t gradientFloats() const;

private:
    template <class Visit>
    void eachSummand(Visit visit) const;  // visit(its gradient, floats)
    // What each layer has of a slice: visit(layer, of its numbers, place of the first among all).
    template <class Visit>
    void eachPart(const FloatSlice& slice, Visit visit) const;
    std::vector<FloatSlice> tensorParts() const;
    Pass pass(Portion portion) const;
    Pass ofLayer(const Pass& pass, Portion portion, std::size_t layer) const;
    std::vector<Stash>& kept(Portion portion);
    void dropAfterForward(std::size_t layer, Stash& stash) const;
    void recomputeLayer(const Pass& pass, std::size_t layer, Stash& stash) const;
    void runForward(const Pass& pass, Portion portion, std::vector<Stash>& stashes, Slot input, float* output,
                    bool drop);

    Model* model_;
    Workplace* workplace_;
    StageOptions options_;
    ModelShape shape_;         // the model's, with the segments
    std::size_t first_layer_;  // place of layers_[0] in the model
    std::vector<Layer*> layers_;
    std::map<Portion, std::vector<Stash>> kept_;  // a stash for each layer
    void upload(Buffer& to, std::size_t place, std::span<const std::int32_t> from);

    // (places, segments, B, T of a segment) both, (places, segments)
    Buffer tokens_, targets_, losses_;
    Buffer joined_gradients_;  // (blocks, B, T, 3C / t) of the micro-batch whose backward is at work
    Buffer squares_;                     // (tensors,) of this stage, double
    std::size_t places_ = 0;             // micro-batch i lies at i mod places
    std::size_t microbatches_ = 0;       // i lies below
    std::size_t step_microbatches_ = 0;  // whose mean the gradient is of
};

}  // namespace bscope
