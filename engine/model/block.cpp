// The block's kernels in order, forward, input gradient, weight gradient; Kept says which tensor lives in
// which slot and what it turns into.
#include "model/block.h"

#include <cmath>

#include "model/linear.h"

namespace bscope {

namespace {

enum Tensor : std::size_t {
    Norm1Weight,
    Norm1Bias,
    QkvWeight,
    QkvBias,
    ProjWeight,
    ProjBias,
    Norm2Weight,
    Norm2Bias,
    FcWeight,
    FcBias,
    MlpProjWeight,
    MlpProjBias,
};

// (B, T, ...) each, and what backwardInput makes of it.
enum Kept : std::size_t {
    Input,           // C: x, becomes dx and is handed on
    Statistics1,     // 2: mean and rstd of ln1
    Normalised1,     // C: ln1(x)
    Qkv,             // 3C: becomes its gradient
    Probabilities,   // heads * T
    Attended,        // C: attention's result
    Residual,        // C: r, becomes its gradient
    Statistics2,     // 2: mean and rstd of ln2
    Normalised2,     // C: ln2(r)
    Hidden,          // 4C: fc with bias, before GELU; becomes its gradient
    Activated,       // 4C: GELU's result
    NormSums,        // (4, C) for the whole micro-batch: what it adds to the gradients of ln1 and ln2
    OutputGradient,  // C: dy
};
constexpr Keep kKeeps[] = {
    {true, false}, {true, false}, {true, true}, {true, true},  {false, false}, {false, true}, {true, true},
    {true, false}, {true, true},  {true, true}, {false, true}, {true, true},   {true, true},
};

std::vector<Parameter> blockParameters(const ModelShape& shape, std::size_t index) {
    const std::size_t C = shape.C;
    const std::string block = "blocks." + std::to_string(index) + ".";
    // GPT-2: what is added to the residual stream starts smaller, by the number of additions.
    const float projection = 0.02F / std::sqrt(2.0F * static_cast<float>(shape.L));
    return {{.name = block + "ln1.weight", .shape = {C}, .initial = 1.0F},
            {.name = block + "ln1.bias", .shape = {C}},
            {.name = block + "attn.qkv.weight", .shape = {3 * C, C}, .initial_deviation = 0.02F},
            {.name = block + "attn.qkv.bias", .shape = {3 * C}},
            {.name = block + "attn.proj.weight", .shape = {C, C}, .initial_deviation = projection},
            {.name = block + "attn.proj.bias", .shape = {C}},
            {.name = block + "ln2.weight", .shape = {C}, .initial = 1.0F},
            {.name = block + "ln2.bias", .shape = {C}},
            {.name = block + "mlp.fc.weight", .shape = {4 * C, C}, .initial_deviation = 0.02F},
            {.name = block + "mlp.fc.bias", .shape = {4 * C}},
            {.name = block + "mlp.proj.weight", .shape = {C, 4 * C}, .initial_deviation = projection},
            {.name = block + "mlp.proj.bias", .shape = {C}}};
}

}  // namespace

Block::Block(Device& device, const ModelShape& shape, std::size_t index, std::uint64_t seed)
    : Layer(device, blockParameters(shape, index), seed) {}

std::span<const Keep> Block::keeps() const {
    return kKeeps;
}

void Block::attention(const Pass& pass, Stash& stash) const {
    stash[Probabilities] = pass.take(pass.rows() * pass.shape.heads * pass.shape.T);
    stash[Attended] = pass.take(pass.rows() * pass.shape.C);
    pass.ops().attention_forward(stash[Attended].data(), stash[Probabilities].data(), stash[Qkv].data(),
                                 pass.B, pass.shape.T, pass.shape.C, pass.shape.heads);
}

void Block::forward(const Pass& pass, Stash& stash, Slot x, float* y) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    const auto take = [&](Kept slot, std::size_t floats) {
        stash[slot] = pass.take(floats);
        return stash[slot].data();
    };
    stash[Input] = std::move(x);
    take(NormSums, 4 * C);

    float* statistics1 = take(Statistics1, 2 * rows);
    float* normalised1 = take(Normalised1, rows * C);
    ops.layernorm_forward(normalised1, statistics1, statistics1 + rows, stash[Input].data(),
                          weight(Norm1Weight), weight(Norm1Bias), rows, C);
    float* qkv = take(Qkv, rows * 3 * C);
    linearForward(ops, qkv, normalised1, weight(QkvWeight), rows, C, 3 * C);
    ops.add_bias(qkv, weight(QkvBias), rows, 3 * C);
    attention(pass, stash);
    float* residual = take(Residual, rows * C);
    linearForward(ops, residual, stash[Attended].data(), weight(ProjWeight), rows, C, C);
    ops.add_bias_residual(residual, weight(ProjBias), stash[Input].data(), rows, C);

    float* statistics2 = take(Statistics2, 2 * rows);
    float* normalised2 = take(Normalised2, rows * C);
    ops.layernorm_forward(normalised2, statistics2, statistics2 + rows, residual, weight(Norm2Weight),
                          weight(Norm2Bias), rows, C);
    float* hidden = take(Hidden, rows * 4 * C);
    linearForward(ops, hidden, normalised2, weight(FcWeight), rows, C, 4 * C);
    float* activated = take(Activated, rows * 4 * C);
    ops.bias_gelu_forward(activated, hidden, weight(FcBias), rows, 4 * C);
    if (y) {
        linearForward(ops, y, activated, weight(MlpProjWeight), rows, 4 * C, C);
        ops.add_bias_residual(y, weight(MlpProjBias), residual, rows, C);
    }
}

void Block::recomputeSelective(const Pass& pass, Stash& stash) {
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    attention(pass, stash);
    stash[Activated] = pass.take(rows * 4 * C);
    pass.ops().bias_gelu_forward(stash[Activated].data(), stash[Hidden].data(), nullptr, rows, 4 * C);
}

Slot Block::backwardInput(const Pass& pass, Stash& stash, Slot dy) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    float* work = pass.workplace.workspace();  // (B, T, 4C)
    float* sums = stash[NormSums].data();
    const float* d_out = dy.data();

    float* hidden = stash[Hidden].data();
    linearBackwardInput(ops, work, d_out, weight(MlpProjWeight), rows, 4 * C, C);
    ops.gelu_backward(hidden, work, hidden, rows * 4 * C);
    linearBackwardInput(ops, work, hidden, weight(FcWeight), rows, C, 4 * C);
    float* residual = stash[Residual].data();
    const float* statistics2 = stash[Statistics2].data();
    ops.layernorm_backward(residual, sums + 2 * C, sums + 3 * C, work, residual, statistics2,
                           statistics2 + rows, weight(Norm2Weight), d_out, rows, C);

    float* qkv = stash[Qkv].data();
    linearBackwardInput(ops, work, residual, weight(ProjWeight), rows, C, C);
    ops.attention_backward(qkv, work, stash[Probabilities].data(), qkv, pass.B, pass.shape.T, C,
                           pass.shape.heads);
    linearBackwardInput(ops, work, qkv, weight(QkvWeight), rows, C, 3 * C);
    float* input = stash[Input].data();
    const float* statistics1 = stash[Statistics1].data();
    ops.layernorm_backward(input, sums, sums + C, work, input, statistics1, statistics1 + rows,
                           weight(Norm1Weight), residual, rows, C);

    stash[OutputGradient] = std::move(dy);
    return std::move(stash[Input]);
}

void Block::backwardWeight(const Pass& pass, Stash& stash) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    const auto linear = [&](Tensor weights, Tensor bias, Kept dy, Kept x, std::size_t in, std::size_t out) {
        linearBackwardWeight(ops, gradient(weights), stash[dy].data(), stash[x].data(), rows, in, out);
        ops.bias_backward(gradient(bias), stash[dy].data(), rows, out);
    };
    linear(MlpProjWeight, MlpProjBias, OutputGradient, Activated, 4 * C, C);
    linear(FcWeight, FcBias, Hidden, Normalised2, C, 4 * C);
    linear(ProjWeight, ProjBias, Residual, Attended, C, C);
    linear(QkvWeight, QkvBias, Qkv, Normalised1, C, 3 * C);
    // A LayerNorm's weight and bias lie side by side, as their sums do.
    const float* sums = stash[NormSums].data();
    ops.add(gradient(Norm1Weight), sums, 2 * C);
    ops.add(gradient(Norm2Weight), sums + 2 * C, 2 * C);
}

}  // namespace bscope
