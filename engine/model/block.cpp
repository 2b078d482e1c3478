// The block's kernels in order, forward, input gradient, weight gradient; Kept says which tensor lives in
// which slot and what it turns into. The residual stream and its gradient are fp32, what only products and
// attention read are operands.
#include "model/block.h"

#include <cmath>

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

// (B, T, ...) each, and what backwardInput makes of it; * as operands.
enum Kept : std::size_t {
    Input,           // C: x, becomes dx and is handed on
    Statistics1,     // 2: mean and rstd of ln1
    Normalised1,     // C *: ln1(x)
    Qkv,             // 3C *: becomes its gradient
    AttentionKept,   // what the device keeps for attention's backward
    Attended,        // C *: attention's result
    Residual,        // C: r, becomes its gradient
    Statistics2,     // 2: mean and rstd of ln2
    Normalised2,     // C *: ln2(r)
    Hidden,          // 4C *: fc with bias, before GELU; becomes its gradient
    Activated,       // 4C *: GELU's result
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
    stash[AttentionKept] =
        pass.take(pass.ops().attention_kept_floats(pass.B, pass.shape.T, pass.shape.heads));
    stash[Attended] = pass.takeOperand(pass.rows() * pass.shape.C);
    pass.ops().attention_forward(pass.operand(stash[Attended]), stash[AttentionKept].data(),
                                 pass.operand(stash[Qkv]), pass.B, pass.shape.T, pass.shape.C,
                                 pass.shape.heads);
}

void Block::forward(const Pass& pass, Stash& stash, Slot x, float* y) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    const auto take = [&](Kept slot, std::size_t floats) {
        stash[slot] = pass.take(floats);
        return stash[slot].data();
    };
    const auto takeOperand = [&](Kept slot, std::size_t numbers) {
        stash[slot] = pass.takeOperand(numbers);
        return pass.operand(stash[slot]);
    };
    stash[Input] = std::move(x);
    take(NormSums, 4 * C);

    float* statistics1 = take(Statistics1, 2 * rows);
    const Operand normalised1 = takeOperand(Normalised1, rows * C);
    ops.layernorm_forward(normalised1, statistics1, statistics1 + rows, stash[Input].data(),
                          weight(Norm1Weight), weight(Norm1Bias), rows, C);
    const Operand qkv = takeOperand(Qkv, rows * 3 * C);
    ops.linear_forward(qkv, normalised1, weightOperand(QkvWeight), weightOperand(QkvBias), nullptr, rows, C,
                       3 * C);
    attention(pass, stash);
    float* residual = take(Residual, rows * C);
    ops.linear_forward(residual, pass.operand(stash[Attended]), weightOperand(ProjWeight), weight(ProjBias),
                       stash[Input].data(), rows, C, C);

    float* statistics2 = take(Statistics2, 2 * rows);
    const Operand normalised2 = takeOperand(Normalised2, rows * C);
    ops.layernorm_forward(normalised2, statistics2, statistics2 + rows, residual, weight(Norm2Weight),
                          weight(Norm2Bias), rows, C);
    const Operand hidden = takeOperand(Hidden, rows * 4 * C);
    const Operand activated = takeOperand(Activated, rows * 4 * C);
    ops.linear_gelu_forward(activated, hidden, normalised2, weightOperand(FcWeight), weightOperand(FcBias),
                            rows, C, 4 * C);
    if (y)
        ops.linear_forward(y, activated, weightOperand(MlpProjWeight), weight(MlpProjBias), residual, rows,
                           4 * C, C);
}

void Block::recomputeSelective(const Pass& pass, Stash& stash) {
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    attention(pass, stash);
    stash[Activated] = pass.takeOperand(rows * 4 * C);
    const Operand hidden = pass.operand(stash[Hidden]);
    pass.ops().bias_gelu_forward(pass.operand(stash[Activated]), hidden, nullptr, rows, 4 * C);
}

Slot Block::backwardInput(const Pass& pass, Stash& stash, Slot dy) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), C = pass.shape.C;
    float* work = pass.workplace.workspace();  // (B, T, 4C)
    float* sums = stash[NormSums].data();
    const float* d_out = dy.data();

    const Operand hidden = pass.operand(stash[Hidden]);
    ops.linear_gelu_backward_input(hidden, pass.workOperand(), d_out, weightOperand(MlpProjWeight), hidden,
                                   rows, 4 * C, C);
    ops.linear_backward_input(work, hidden, weightOperand(FcWeight), rows, C, 4 * C);
    float* residual = stash[Residual].data();
    const float* statistics2 = stash[Statistics2].data();
    ops.layernorm_backward(residual, sums + 2 * C, sums + 3 * C, work, residual, statistics2,
                           statistics2 + rows, weight(Norm2Weight), d_out, rows, C);

    const Operand qkv = pass.operand(stash[Qkv]);
    ops.linear_backward_input(pass.workOperand(), residual, weightOperand(ProjWeight), rows, C, C);
    ops.attention_backward(qkv, pass.workOperand(), pass.operand(stash[Attended]),
                           stash[AttentionKept].data(), qkv, pass.B, pass.shape.T, C, pass.shape.heads);
    ops.linear_backward_input(work, qkv, weightOperand(QkvWeight), rows, C, 3 * C);
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
    const auto linear = [&](Tensor weights, Tensor bias, ConstOperand dy, Kept x, std::size_t in,
                            std::size_t out) {
        ops.linear_backward_weight(gradient(weights), gradient(bias), dy, pass.operand(stash[x]), rows, in,
                                   out);
    };
    linear(MlpProjWeight, MlpProjBias, stash[OutputGradient].data(), Activated, 4 * C, C);
    linear(FcWeight, FcBias, pass.operand(stash[Hidden]), Normalised2, C, 4 * C);
    linear(ProjWeight, ProjBias, stash[Residual].data(), Attended, C, C);
    linear(QkvWeight, QkvBias, pass.operand(stash[Qkv]), Normalised1, C, 3 * C);
    // A LayerNorm's weight and bias lie side by side, as their sums do.
    const float* sums = stash[NormSums].data();
    ops.add(gradient(Norm1Weight), sums, 2 * C);
    ops.add(gradient(Norm2Weight), sums + 2 * C, 2 * C);
}

}  // namespace bscope
