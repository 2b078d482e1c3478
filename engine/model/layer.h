// Layer: a piece of the network that is never divided: the embedding, one block, or the head. It owns its
// weights, gradients and AdamW state, one allocation per kind, so that it can move to another rank between
// iterations. What it keeps of a micro-batch is a Stash; the table keeps() says which slot lives how long.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/ops.h"
#include "model/arena.h"
#include "model/workplace.h"
#include "shape/activation_bytes.h"
#include "shape/shape.h"

namespace bscope {

struct Parameter {
    std::string name;                // "blocks.3.attn.qkv.weight"
    std::vector<std::size_t> shape;  // Linear: (out, in)
    std::size_t offset = 0;          // floats from the start of the layer's allocation
    float initial = 0.0F;            // the constant a bias (0) or a LayerNorm weight (1) starts from, or
    float initial_deviation = 0.0F;  // > 0: normal with this standard deviation
    // Of a shard: in how many runs of consecutive numbers it has its part of the full tensor, evenly apart;
    // shard s has the s-th of every t runs. 0: all of the tensor.
    std::size_t runs = 0;
    // Each shard adds a summand of its gradient: the rest of the rows are other shards'.
    bool is_summand = false;

    std::size_t size() const;
};

// Where the parts of a shard's parameter lie in the full tensor: visit(place in the full one, place here,
// floats).
template <class Visit>
void eachRun(const Parameter& parameter, std::size_t shard, std::size_t t, Visit visit) {
    if (parameter.runs == 0) return visit(std::size_t{0}, std::size_t{0}, parameter.size());
    const std::size_t floats = parameter.size() / parameter.runs;
    for (std::size_t run = 0; run < parameter.runs; ++run)
        visit((run * t + shard) * floats, run * floats, floats);
}

// Which part of the tensors that are cut a layer has.
struct Shard {
    std::size_t index = 0, of = 1;
    bool operator==(const Shard&) const = default;
};

// What is kept of one micro-batch in one layer; slots are named by each layer's own enum. Slot 0 is the
// input.
using Stash = std::array<Slot, 13>;

// How long a slot of the stash is needed after the forward that made it.
struct Keep {
    bool selective;   // kept under selective checkpointing (else made again by recompute)
    bool for_weight;  // kept between backwardInput and backwardWeight
};

// Serving: consecutive rows of a step that are of one request, and what a block has kept of its tokens.
struct RowsOfRequest {
    std::size_t rows = 0;
    std::size_t first = 0;  // position of the first row's token
    bool emits = false;     // a token comes of the last row
    float* kept = nullptr;  // keys and values, (tokens, 2C / t), of those here too; blocks only
};

// The micro-batch, or the segment of one, a layer works on: its rank's tools, and sizes.
struct Pass {
    Workplace& workplace;
    const ModelShape& shape;
    std::size_t B = 0;
    const std::int32_t* tokens = nullptr;   // (B, T), device; embedding only; here and below T of a segment
    const std::int32_t* targets = nullptr;  // (B, T), device; head only
    double* loss = nullptr;                 // device; head only: mean cross-entropy of the micro-batch
    float gradient_scale = 0.0F;            // 1 / (m B T)
    std::size_t shard = 0;                  // of shape.t
    std::size_t segment = 0;                // of shape.segments
    // What the layer keeps of the segments before this one, and where it adds up the gradients of queries,
    // keys and values of all of them: (B, T, 3C / t) of whole sequences; blocks only, where sequences are
    // cut.
    std::vector<const Stash*> earlier;
    float* joined_gradients = nullptr;
    // Serving, where B is the rows of a step and T is 1: whose they are, one after the other. And where the
    // head puts the tokens that come of them, host memory.
    std::vector<RowsOfRequest> requests = {};
    std::int32_t* next_tokens = nullptr;

    std::size_t T() const { return shape.tokens(); }
    std::size_t firstPosition() const { return segment * T(); }
    std::size_t rows() const { return B * T(); }
    // Those of the residual stream that are here: all, or with sequence parallelism a t-th, one after the
    // other. What happens to them happens to each token by itself, so it is equal which of them a shard has
    // (Megatron-LM cuts every sample).
    std::size_t ownRows() const { return rows() / shape.rowParts(); }
    std::size_t ownFloats() const { return ownRows() * shape.C; }
    std::size_t firstToken() const {
        return shard * shape.shardV();
    }  // of the shard's part of the vocabulary
    Ops& ops() const { return workplace.ops(); }
    Slot take(std::size_t floats) const { return workplace.arena().take(floats); }
    // Room for so many numbers as operands, and what lies there; whole floats.
    Slot takeOperand(std::size_t numbers) const { return take(operandFloats(numbers, precision())); }
    Operand operand(const Slot& slot) const { return {slot.data(), precision()}; }
    Operand workOperand() const { return {workplace.workspace(), precision()}; }
    Precision precision() const { return workplace.device().operandPrecision(); }
    // Working space for what is joined of all segments.
    float* joined() const {
        return workplace.workspace() + workspaceFloats(shape, B) - joinedFloats(shape, B);
    }

    // Where the own rows lie in all rows, (B T, C).
    float* own(float* all) const { return all + (shape.sequence_parallel ? shard * ownFloats() : 0); }
    // Each shard's summand, (B T, C), becomes the sum: in all rows, or with sequence parallelism in the own
    // ones alone.
    void addUpShards(float* x) const;
    // The same of any numbers, whole on every shard; and of each shard's t-th of some, all of them.
    void addUp(float* x, std::size_t floats) const;
    void gatherParts(float* x, std::size_t floats) const;
    // All rows of what each shard has its own of: with sequence parallelism in the workspace.
    ConstOperand allRows(ConstOperand own_rows) const;
    // The same, in a slot that takes the place of this one.
    Slot gathered(Slot own_rows) const;

private:
    void gather(const float* own_rows, float* all) const;
};

// One version of a layer's weights: in fp32, and once more as operands where the device keeps those in
// another precision.
class WeightMemory {
public:
    WeightMemory() = default;
    WeightMemory(Device& device, std::size_t floats);

    float* fp32() const { return fp32_.as<float>(); }
    Operand operands() const;
    std::size_t bytes() const { return fp32_.bytes() + operandBytes(); }
    std::size_t operandBytes() const { return operands_.bytes(); }  // 0 where operands are fp32
    void copyOf(Device& device, const WeightMemory& other);

private:
    Precision precision_ = Precision::Fp32;
    Buffer fp32_, operands_;
};

class Layer {
public:
    virtual ~Layer() = default;
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;

    // y = layer(x), (B, T, C) both; takes its stash. x is empty for the embedding. A null y means that the
    // result is not needed: the layer does only what its backward needs.
    virtual void forward(const Pass& pass, Stash& stash, Slot x, float* y) = 0;
    // Makes again what selective checkpointing dropped; the same bits.
    virtual void recomputeSelective(const Pass& pass, Stash& stash) = 0;
    // The gradient with respect to x, from dy, (B, T, C) both; leaves in the stash what backwardWeight reads.
    // dy is empty for the head, the result for the embedding.
    virtual Slot backwardInput(const Pass& pass, Stash& stash, Slot dy) = 0;
    // Adds this micro-batch to the weight gradients.
    virtual void backwardWeight(const Pass& pass, Stash& stash) = 0;
    virtual std::span<const Keep> keeps() const = 0;

    Device& device() const { return *device_; }
    // Weights, gradients and optimizer state go to another device; nothing may be at work on them. Pointers
    // into the layer are no longer valid. Throws std::bad_alloc, and then the layer is where it was.
    void moveTo(Device& device);

    const std::vector<Parameter>& parameters() const { return parameters_; }
    std::size_t parameterFloats() const { return floats_; }
    // All parameters in one piece, device memory, parameterFloats() floats.
    float* weights() const { return weights_.fp32(); }
    // Products read weights as operands: after a change of weights() these are the old ones until this,
    // unless they are the same memory.
    void roundWeights(Ops& ops) const {
        if (weights_.operandBytes() == 0) return;
        ops.run(Round{.to = weights_.operands(), .from = weights(), .count = floats_});
    }
    const WeightMemory& newest() const { return weights_; }
    // Forward and backward read that version of the weights until the next call.
    void computeWith(const WeightMemory& version) { computed_with_ = &version; }
    // Of its numbers, those whose AdamW moments are here: all of them, or under ZeRO a copy's slice. Before
    // any of the following is asked for.
    void keepState(const FloatSlice& slice) { state_ = slice; }
    const FloatSlice& state() const { return state_; }
    // Gradients, parameterFloats(), and AdamW's moments, from state().begin on. They are made, all zero, when
    // one of them is first asked for: a new model goes to other devices as weights alone.
    float* gradients() const { return trained().gradients.as<float>(); }
    float* adamM() const { return trained().adam_m.as<float>(); }
    float* adamV() const { return trained().adam_v.as<float>(); }
    void prepareTraining() const { trained(); }  // now, so that no thread has to
    void dropTraining() { trained_.reset(); }    // they begin anew

protected:
    // Offsets are filled in here. Weights start from the seed, by tensor name, and a shard's with the numbers
    // that the full tensor has there; everything else from 0.
    Layer(Device& device, std::vector<Parameter> parameters, std::uint64_t seed, const Shard& shard = {});
    float* weight(std::size_t parameter) const {
        return computed_with_->fp32() + parameters_[parameter].offset;
    }
    ConstOperand weightOperand(std::size_t parameter) const {
        return computed_with_->operands() + parameters_[parameter].offset;
    }
    float* gradient(std::size_t parameter) const { return gradients() + parameters_[parameter].offset; }

private:
    struct Trained {
        Buffer gradients, adam_m, adam_v;
    };
    const Trained& trained() const;

    Device* device_;
    std::vector<Parameter> parameters_;
    std::size_t floats_ = 0;
    FloatSlice state_;
    const WeightMemory* computed_with_ = &weights_;
    WeightMemory weights_;
    mutable std::optional<Trained> trained_;
};

}  // namespace bscope
