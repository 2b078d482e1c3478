// The block's kernels in order, forward, input gradient, weight gradient; Kept says which tensor lives in
// which slot and what it turns into. The residual stream and its gradient are fp32, what only products and
// attention read are operands. A shard has the rows of QKV and fc, and the columns of the two projections, of
// its heads and its part of the MLP (Megatron-LM, arXiv:1909.08053, section 3): what the projections and, in
// the backward, QKV and fc make of a part is a summand of the whole. With sequence parallelism
// (arXiv:2205.05198, section 4.2.2) LayerNorms and the residual stream have the shard's own rows; products
// have all rows, which are gathered before them, and where they add up, a shard gets the sum of its rows.
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

// (B, T, ...) each, and what backwardInput makes of it; * as operands, o of the own rows.
enum Kept : std::size_t {
    Input,           // C o: x, becomes dx and is handed on
    Statistics1,     // 2 o: mean and rstd of ln1
    Normalised1,     // C * o: ln1(x)
    Qkv,             // 3C *: becomes its gradient
    AttentionKept,   // what the device keeps for attention's backward
    Attended,        // C *: attention's result
    Residual,        // C o: r, becomes its gradient, of all rows
    Statistics2,     // 2 o: mean and rstd of ln2
    Normalised2,     // C * o: ln2(r)
    Hidden,          // 4C *: fc with bias, before GELU; becomes its gradient
    Activated,       // 4C *: GELU's result
    NormSums,        // (4, C): what the own rows of the micro-batch add to the gradients of ln1 and ln2
    OutputGradient,  // C: dy
};
constexpr Keep kKeeps[] = {
    {true, false}, {true, false}, {true, true}, {true, true},  {false, false}, {false, true}, {true, true},
    {true, false}, {true, true},  {true, true}, {false, true}, {true, true},   {true, true},
};

std::vector<Parameter> blockParameters(const ModelShape& shape, std::size_t index) {
    const std::size_t C = shape.C, own = shape.shardC();
    const std::string block = "blocks." + std::to_string(index) + ".";
    // GPT-2: what is added to the residual stream starts smaller, by the number of additions.
    const float projection = 0.02F / std::sqrt(2.0F * static_cast<float>(shape.L));
    const auto runs = [&](std::size_t count) { return shape.t > 1 ? count : 0; };
    const bool summed = shape.sequence_parallel;
    return {
        {.name = block + "ln1.weight", .shape = {C}, .initial = 1.0F, .is_summand = summed},
        {.name = block + "ln1.bias", .shape = {C}, .is_summand = summed},
        {.name = block + "attn.qkv.weight",
         .shape = {3 * own, C},
         .initial_deviation = 0.02F,
         .runs = runs(3)},
        {.name = block + "attn.qkv.bias", .shape = {3 * own}, .runs = runs(3)},
        {.name = block + "attn.proj.weight",
         .shape = {C, own},
         .initial_deviation = projection,
         .runs = runs(C)},
        {.name = block + "attn.proj.bias", .shape = {C}},
        {.name = block + "ln2.weight", .shape = {C}, .initial = 1.0F, .is_summand = summed},
        {.name = block + "ln2.bias", .shape = {C}, .is_summand = summed},
        {.name = block + "mlp.fc.weight", .shape = {4 * own, C}, .initial_deviation = 0.02F, .runs = runs(1)},
        {.name = block + "mlp.fc.bias", .shape = {4 * own}, .runs = runs(1)},
        {.name = block + "mlp.proj.weight",
         .shape = {C, 4 * own},
         .initial_deviation = projection,
         .runs = runs(C)},
        {.name = block + "mlp.proj.bias", .shape = {C}}};
}

}  // namespace

Block::Block(Device& device, const ModelShape& shape, std::size_t index, std::uint64_t seed,
             const Shard& shard)
    : Layer(device, blockParameters(shape, index), seed, shard) {}

std::span<const Keep> Block::keeps() const {
    return kKeeps;
}

// Of whole sequences, or of a segment, which looks at the keys and values of those before it as well. What is
// kept of a segment has room for the keys of all, so that every segment takes as much.
void Block::attention(const Pass& pass, Stash& stash) const {
    if (!pass.requests.empty()) return attentionOfRequests(pass, stash);
    Ops& ops = pass.ops();
    const ModelShape& shape = pass.shape;
    stash[AttentionKept] =
        pass.take(ops.attentionKeptFloats(pass.B, shape.T, shape.shardHeads()) / shape.segments);
    stash[Attended] = pass.takeOperand(pass.rows() * shape.shardC());
    if (shape.segments == 1)
        return ops.run(AttentionForward{.y = pass.operand(stash[Attended]),
                                        .kept = stash[AttentionKept].data(),
                                        .qkv = pass.operand(stash[Qkv]),
                                        .B = pass.B,
                                        .T = pass.T(),
                                        .C = shape.shardC(),
                                        .heads = shape.shardHeads()});
    ops.run(SegmentAttentionForward{.y = pass.operand(stash[Attended]),
                                    .kept = stash[AttentionKept].data(),
                                    .qkv = joinedSegments(pass, stash),
                                    .B = pass.B,
                                    .T = pass.T(),
                                    .C = shape.shardC(),
                                    .heads = shape.shardHeads(),
                                    .first = pass.firstPosition(),
                                    .tokens = shape.T});
}

// Each request's rows look at the keys and values of its tokens before them and at their own, which are kept.
// What the operation reads, queries, keys and values side by side, is put together in the workspace.
void Block::attentionOfRequests(const Pass& pass, Stash& stash) const {
    Ops& ops = pass.ops();
    const std::size_t C = pass.shape.shardC(), heads = pass.shape.shardHeads();
    stash[Attended] = pass.take(pass.rows() * C);
    const float* rows = stash[Qkv].data();
    float* attended = stash[Attended].data();
    for (const RowsOfRequest& of : pass.requests) {
        const std::size_t past = of.first + of.rows;
        float* const joined = pass.workplace.workspace();  // (past, 3C)
        for (std::size_t row = 0; row < of.rows; ++row)
            ops.run(CopyFloats{
                .to = of.kept + (of.first + row) * 2 * C, .from = rows + row * 3 * C + C, .count = 2 * C});
        for (std::size_t token = 0; token < past; ++token)
            ops.run(CopyFloats{
                .to = joined + token * 3 * C + C, .from = of.kept + token * 2 * C, .count = 2 * C});
        for (std::size_t row = 0; row < of.rows; ++row)
            ops.run(
                CopyFloats{.to = joined + (of.first + row) * 3 * C, .from = rows + row * 3 * C, .count = C});
        ops.run(SegmentAttentionForward{.y = attended,
                                        .kept = joined + past * 3 * C,
                                        .qkv = joined,
                                        .B = 1,
                                        .T = of.rows,
                                        .C = C,
                                        .heads = heads,
                                        .first = of.first,
                                        .tokens = past});
        rows += of.rows * 3 * C;
        attended += of.rows * C;
    }
}

// (B, T, 3C / t) of whole sequences: queries, keys and values of the segments up to this one.
ConstOperand Block::joinedSegments(const Pass& pass, const Stash& stash) const {
    const std::size_t width = 3 * pass.shape.shardC(), of_sample = pass.T() * width;
    const Operand joined(pass.joined(), pass.precision());
    for (std::size_t segment = 0; segment <= pass.segment; ++segment) {
        const Slot& from = (segment < pass.segment ? *pass.earlier[segment] : stash)[Qkv];
        for (std::size_t b = 0; b < pass.B; ++b)
            pass.ops().run(CopyFloats{
                .to = static_cast<float*>((joined + (b * pass.shape.T * width + segment * of_sample)).data()),
                .from = static_cast<const float*>((pass.operand(from) + b * of_sample).data()),
                .count = operandFloats(of_sample, pass.precision())});
    }
    return joined;
}

// Queries, keys and values become their gradients. Those of a segment are complete then: the segments after
// it, which looked at its keys and values, have been here before.
void Block::attentionBackward(const Pass& pass, Stash& stash, ConstOperand dy) const {
    Ops& ops = pass.ops();
    const ModelShape& shape = pass.shape;
    const std::size_t C = shape.shardC();
    const Operand qkv = pass.operand(stash[Qkv]);
    if (shape.segments == 1)
        return ops.run(AttentionBackward{.d_qkv = qkv,
                                         .dy = dy,
                                         .y = pass.operand(stash[Attended]),
                                         .kept = stash[AttentionKept].data(),
                                         .qkv = qkv,
                                         .B = pass.B,
                                         .T = pass.T(),
                                         .C = C,
                                         .heads = shape.shardHeads()});
    const std::size_t of_sample = pass.T() * 3 * C;
    if (pass.segment + 1 == shape.segments)
        ops.run(FillZero{.x = pass.joined_gradients, .count = pass.B * shape.T * 3 * C});
    ops.run(SegmentAttentionBackward{.d_qkv = pass.joined_gradients,
                                     .dy = dy,
                                     .y = pass.operand(stash[Attended]),
                                     .kept = stash[AttentionKept].data(),
                                     .qkv = joinedSegments(pass, stash),
                                     .B = pass.B,
                                     .T = pass.T(),
                                     .C = C,
                                     .heads = shape.shardHeads(),
                                     .first = pass.firstPosition(),
                                     .tokens = shape.T});
    for (std::size_t b = 0; b < pass.B; ++b)
        ops.run(Round{.to = qkv + b * of_sample,
                      .from = pass.joined_gradients + b * shape.T * 3 * C + pass.segment * of_sample,
                      .count = of_sample});
}

void Block::forward(const Pass& pass, Stash& stash, Slot x, float* y) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), own_rows = pass.ownRows(), C = pass.shape.C,
                      own = pass.shape.shardC();
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

    float* statistics1 = take(Statistics1, 2 * own_rows);
    const Operand normalised1 = takeOperand(Normalised1, own_rows * C);
    ops.run(LayernormForward{.y = normalised1,
                             .mean = statistics1,
                             .rstd = statistics1 + own_rows,
                             .x = stash[Input].data(),
                             .weight = weight(Norm1Weight),
                             .bias = weight(Norm1Bias),
                             .rows = own_rows,
                             .C = C});
    const Operand qkv = takeOperand(Qkv, rows * 3 * own);
    ops.run(LinearForward{.y = qkv,
                          .x = pass.allRows(normalised1),
                          .weight = weightOperand(QkvWeight),
                          .bias = weightOperand(QkvBias),
                          .residual = nullptr,
                          .rows = rows,
                          .in = C,
                          .out = 3 * own});
    attention(pass, stash);
    float* residual = take(Residual, own_rows * C);
    project(pass, {.y = residual,
                   .x = pass.operand(stash[Attended]),
                   .weight = weightOperand(ProjWeight),
                   .bias = weight(ProjBias),
                   .residual = stash[Input].data(),
                   .rows = rows,
                   .in = own,
                   .out = C});

    float* statistics2 = take(Statistics2, 2 * own_rows);
    const Operand normalised2 = takeOperand(Normalised2, own_rows * C);
    ops.run(LayernormForward{.y = normalised2,
                             .mean = statistics2,
                             .rstd = statistics2 + own_rows,
                             .x = residual,
                             .weight = weight(Norm2Weight),
                             .bias = weight(Norm2Bias),
                             .rows = own_rows,
                             .C = C});
    const Operand hidden = takeOperand(Hidden, rows * 4 * own);
    const Operand activated = takeOperand(Activated, rows * 4 * own);
    ops.run(LinearGeluForward{.y = activated,
                              .hidden = hidden,
                              .x = pass.allRows(normalised2),
                              .weight = weightOperand(FcWeight),
                              .bias = weightOperand(FcBias),
                              .rows = rows,
                              .in = C,
                              .out = 4 * own});
    if (y)
        project(pass, {.y = y,
                       .x = activated,
                       .weight = weightOperand(MlpProjWeight),
                       .bias = weight(MlpProjBias),
                       .residual = residual,
                       .rows = rows,
                       .in = 4 * own,
                       .out = C});
}

// A product with the columns of this shard alone is a summand; bias and residual are added to the sum.
void Block::project(const Pass& pass, LinearForward projection) const {
    Ops& ops = pass.ops();
    if (pass.shape.t == 1) return ops.run(projection);
    float* const y = projection.y.fp32();
    float* const sum = pass.shape.sequence_parallel ? pass.workplace.workspace() : y;
    const AddBiasResidual rest{.y = y,
                               .bias = projection.bias.fp32(),
                               .residual = projection.residual,
                               .rows = pass.ownRows(),
                               .columns = projection.out};
    projection.y = sum;
    projection.bias = nullptr;
    projection.residual = nullptr;
    ops.run(projection);
    pass.addUpShards(sum);
    if (sum != y) ops.run(CopyFloats{.to = y, .from = pass.own(sum), .count = pass.ownFloats()});
    ops.run(rest);
}

void Block::recomputeSelective(const Pass& pass, Stash& stash) {
    const std::size_t rows = pass.rows(), columns = 4 * pass.shape.shardC();
    attention(pass, stash);
    stash[Activated] = pass.takeOperand(rows * columns);
    const Operand hidden = pass.operand(stash[Hidden]);
    pass.ops().run(BiasGeluForward{
        .y = pass.operand(stash[Activated]), .x = hidden, .bias = nullptr, .rows = rows, .columns = columns});
}

Slot Block::backwardInput(const Pass& pass, Stash& stash, Slot dy) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), own_rows = pass.ownRows(), C = pass.shape.C,
                      own = pass.shape.shardC();
    float* work = pass.workplace.workspace();  // (B, T, 4C) / t, or (B, T, C) where that is more
    float* sums = stash[NormSums].data();
    stash[OutputGradient] = pass.gathered(std::move(dy));
    float* d_out = stash[OutputGradient].data();

    const Operand hidden = pass.operand(stash[Hidden]);
    ops.run(LinearGeluBackwardInput{.d_hidden = hidden,
                                    .work = pass.workOperand(),
                                    .dy = d_out,
                                    .weight = weightOperand(MlpProjWeight),
                                    .hidden = hidden,
                                    .rows = rows,
                                    .in = 4 * own,
                                    .out = C});
    ops.run(LinearBackwardInput{
        .dx = work, .dy = hidden, .weight = weightOperand(FcWeight), .rows = rows, .in = C, .out = 4 * own});
    pass.addUpShards(work);
    float* residual = stash[Residual].data();
    const float* statistics2 = stash[Statistics2].data();
    ops.run(LayernormBackward{.dx = residual,
                              .weight_sum = sums + 2 * C,
                              .bias_sum = sums + 3 * C,
                              .dy = pass.own(work),
                              .x = residual,
                              .mean = statistics2,
                              .rstd = statistics2 + own_rows,
                              .weight = weight(Norm2Weight),
                              .d_residual = pass.own(d_out),
                              .rows = own_rows,
                              .C = C});
    stash[Residual] = pass.gathered(std::move(stash[Residual]));
    float* d_residual = stash[Residual].data();

    const Operand qkv = pass.operand(stash[Qkv]);
    ops.run(LinearBackwardInput{.dx = pass.workOperand(),
                                .dy = d_residual,
                                .weight = weightOperand(ProjWeight),
                                .rows = rows,
                                .in = own,
                                .out = C});
    attentionBackward(pass, stash, pass.workOperand());
    ops.run(LinearBackwardInput{
        .dx = work, .dy = qkv, .weight = weightOperand(QkvWeight), .rows = rows, .in = C, .out = 3 * own});
    pass.addUpShards(work);
    float* input = stash[Input].data();
    const float* statistics1 = stash[Statistics1].data();
    ops.run(LayernormBackward{.dx = input,
                              .weight_sum = sums,
                              .bias_sum = sums + C,
                              .dy = pass.own(work),
                              .x = input,
                              .mean = statistics1,
                              .rstd = statistics1 + own_rows,
                              .weight = weight(Norm1Weight),
                              .d_residual = pass.own(d_residual),
                              .rows = own_rows,
                              .C = C});
    return std::move(stash[Input]);
}

void Block::backwardWeight(const Pass& pass, Stash& stash) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), C = pass.shape.C, own = pass.shape.shardC();
    const auto linear = [&](Tensor weights, Tensor bias, ConstOperand dy, ConstOperand x, std::size_t in,
                            std::size_t out) {
        ops.run(LinearBackwardWeight{.d_weight = gradient(weights),
                                     .d_bias = gradient(bias),
                                     .dy = dy,
                                     .x = x,
                                     .rows = rows,
                                     .in = in,
                                     .out = out});
    };
    const auto kept = [&](Kept slot) { return pass.operand(stash[slot]); };
    linear(MlpProjWeight, MlpProjBias, stash[OutputGradient].data(), kept(Activated), 4 * own, C);
    linear(FcWeight, FcBias, kept(Hidden), pass.allRows(kept(Normalised2)), C, 4 * own);
    linear(ProjWeight, ProjBias, stash[Residual].data(), kept(Attended), own, C);
    linear(QkvWeight, QkvBias, kept(Qkv), pass.allRows(kept(Normalised1)), C, 3 * own);
    // A LayerNorm's weight and bias lie side by side, as their sums do.
    const float* sums = stash[NormSums].data();
    ops.run(Add{.y = gradient(Norm1Weight), .x = sums, .count = 2 * C});
    ops.run(Add{.y = gradient(Norm2Weight), .x = sums + 2 * C, .count = 2 * C});
}

}  // namespace bscope
