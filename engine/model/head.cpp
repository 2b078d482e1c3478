// The head's kernels in order; the gradient of the logits exists from the forward on. A shard has the rows of
// a part of the vocabulary, and so columns of the logits (Megatron-LM, arXiv:1909.08053, section 3): of all
// of them cross-entropy needs the greatest of a row, the sum of exponentials and the logit of the target,
// which are three small collectives.
#include "model/head.h"

#include <algorithm>
#include <vector>

namespace bscope {

namespace {
enum Tensor : std::size_t { NormWeight, NormBias, HeadWeight };
enum Kept : std::size_t {
    Input,       // (own rows, C); backwardInput turns it into its gradient and hands it on
    Statistics,  // (2, own rows): mean, rstd
    Normalised,  // (own rows, C), operands
    Logits,      // (B, T, V / t), from the start their gradient
    NormSums,    // (2, C): what these rows add to the gradients of NormWeight and NormBias
};
constexpr Keep kKeeps[] = {{true, false}, {true, false}, {true, true}, {true, true}, {true, true}};
}  // namespace

Head::Head(Device& device, const ModelShape& shape, std::uint64_t seed, const Shard& shard)
    : Layer(device,
            {{.name = "ln_f.weight",
              .shape = {shape.C},
              .initial = 1.0F,
              .is_summand = shape.sequence_parallel},
             {.name = "ln_f.bias", .shape = {shape.C}, .is_summand = shape.sequence_parallel},
             {.name = "head.weight",
              .shape = {shape.shardV(), shape.C},
              .initial_deviation = 0.02F,
              .runs = shape.t > 1 ? std::size_t{1} : 0}},
            seed, shard) {}

std::span<const Keep> Head::keeps() const {
    return kKeeps;
}

void Head::forward(const Pass& pass, Stash& stash, Slot x, float*) {
    if (!pass.requests.empty()) return chooseTokens(pass, x.data());
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), own_rows = pass.ownRows(), C = pass.shape.C,
                      V = pass.shape.shardV();
    stash[Input] = std::move(x);
    stash[Statistics] = pass.take(2 * own_rows);
    stash[Normalised] = pass.takeOperand(own_rows * C);
    stash[Logits] = pass.take(rows * V);
    stash[NormSums] = pass.take(2 * C);
    float* statistics = stash[Statistics].data();
    makeLogits(pass, stash[Input].data(), own_rows, statistics, pass.operand(stash[Normalised]), rows,
               stash[Logits].data());
    crossEntropy(pass, stash[Logits].data());
}

// Of all rows, from the own ones of x, (own_rows, C); statistics: (2, own_rows).
void Head::makeLogits(const Pass& pass, const float* x, std::size_t own_rows, float* statistics,
                      const Operand& normalised, std::size_t rows, float* logits) const {
    pass.ops().run(LayernormForward{.y = normalised,
                                    .mean = statistics,
                                    .rstd = statistics + own_rows,
                                    .x = x,
                                    .weight = weight(NormWeight),
                                    .bias = weight(NormBias),
                                    .rows = own_rows,
                                    .C = pass.shape.C});
    pass.ops().run(LinearForward{.y = logits,
                                 .x = pass.allRows(normalised),
                                 .weight = weightOperand(HeadWeight),
                                 .bias = nullptr,
                                 .residual = nullptr,
                                 .rows = rows,
                                 .in = pass.shape.C,
                                 .out = pass.shape.shardV()});
}

// Greedy: the token with the greatest logit, the first of several. Of shards each has part of the vocabulary,
// so that all compare the best of every part.
void Head::chooseTokens(const Pass& pass, const float* x) const {
    Ops& ops = pass.ops();
    const std::size_t C = pass.shape.C, V = pass.shape.shardV(), t = pass.shape.t;
    std::vector<std::size_t> emitting;
    std::size_t row = 0;
    for (const RowsOfRequest& of : pass.requests) {
        row += of.rows;
        if (of.emits) emitting.push_back(row - 1);
    }
    const std::size_t rows = emitting.size();
    if (rows == 0) return;
    const Slot inputs = pass.take(rows * C), statistics = pass.take(2 * rows), logits = pass.take(rows * V);
    const Slot normalised = pass.takeOperand(rows * C);
    for (std::size_t i = 0; i < rows; ++i)
        ops.run(CopyFloats{.to = inputs.data() + i * C, .from = x + emitting[i] * C, .count = C});
    makeLogits(pass, inputs.data(), rows, statistics.data(), pass.operand(normalised), rows, logits.data());
    std::vector<float> values(rows * V);
    pass.workplace.stream().synchronize();
    device().copy(values.data(), logits.data(), values.size() * sizeof(float));
    std::vector<float> best(2 * t * rows);  // (t, rows) logits and tokens of every part, side by side
    for (std::size_t i = 0; i < rows; ++i) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * V);
        const auto greatest = std::max_element(first, first + static_cast<std::ptrdiff_t>(V));
        best[2 * (pass.shard * rows + i)] = *greatest;
        best[2 * (pass.shard * rows + i) + 1] =
            static_cast<float>(pass.firstToken() + static_cast<std::size_t>(greatest - first));
    }
    float* const exchanged = pass.workplace.workspace();
    device().copy(exchanged, best.data(), best.size() * sizeof(float));
    pass.gatherParts(exchanged, best.size());
    device().copy(best.data(), exchanged, best.size() * sizeof(float));
    for (std::size_t i = 0; i < rows; ++i) {
        std::size_t chosen = i;
        for (std::size_t part = 1; part < t; ++part)
            if (best[2 * (part * rows + i)] > best[2 * chosen]) chosen = part * rows + i;
        pass.next_tokens[i] = static_cast<std::int32_t>(best[2 * chosen + 1]);
    }
}

void Head::crossEntropy(const Pass& pass, float* logits) const {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), V = pass.shape.shardV(), t = pass.shape.t;
    if (t == 1)
        return ops.run(SoftmaxCrossEntropy{.mean_loss = pass.loss,
                                           .logits = logits,
                                           .targets = pass.targets,
                                           .rows = rows,
                                           .V = V,
                                           .gradient_scale = pass.gradient_scale});
    float* const maxima = pass.workplace.workspace();  // (t, rows)
    float* const sums = maxima + t * rows;             // (rows)
    float* const target_logits = sums + rows;          // (rows)
    ops.run(RowMaximum{.maxima = maxima + pass.shard * rows, .x = logits, .rows = rows, .columns = V});
    pass.gatherParts(maxima, t * rows);
    ops.run(SoftmaxPart{.sums = sums,
                        .target_logits = target_logits,
                        .logits = logits,
                        .maxima = maxima,
                        .targets = pass.targets,
                        .rows = rows,
                        .V = V,
                        .first = pass.firstToken(),
                        .parts = t});
    pass.addUp(sums, rows);
    pass.addUp(target_logits, rows);
    ops.run(CrossEntropyPart{.mean_loss = pass.loss,
                             .logits = logits,
                             .sums = sums,
                             .target_logits = target_logits,
                             .targets = pass.targets,
                             .rows = rows,
                             .V = V,
                             .first = pass.firstToken(),
                             .gradient_scale = pass.gradient_scale});
}

Slot Head::backwardInput(const Pass& pass, Stash& stash, Slot) {
    Ops& ops = pass.ops();
    const std::size_t rows = pass.rows(), own_rows = pass.ownRows(), C = pass.shape.C;
    float* d_normalised = pass.workplace.workspace();
    ops.run(LinearBackwardInput{.dx = d_normalised,
                                .dy = stash[Logits].data(),
                                .weight = weightOperand(HeadWeight),
                                .rows = rows,
                                .in = C,
                                .out = pass.shape.shardV()});
    pass.addUpShards(d_normalised);
    const float* statistics = stash[Statistics].data();
    float* sums = stash[NormSums].data();
    float* x = stash[Input].data();
    ops.run(LayernormBackward{.dx = x,
                              .weight_sum = sums,
                              .bias_sum = sums + C,
                              .dy = pass.own(d_normalised),
                              .x = x,
                              .mean = statistics,
                              .rstd = statistics + own_rows,
                              .weight = weight(NormWeight),
                              .d_residual = nullptr,
                              .rows = own_rows,
                              .C = C});
    return std::move(stash[Input]);
}

void Head::backwardWeight(const Pass& pass, Stash& stash) {
    Ops& ops = pass.ops();
    const std::size_t C = pass.shape.C;
    ops.run(LinearBackwardWeight{.d_weight = gradient(HeadWeight),
                                 .d_bias = nullptr,
                                 .dy = stash[Logits].data(),
                                 .x = pass.allRows(pass.operand(stash[Normalised])),
                                 .rows = pass.rows(),
                                 .in = C,
                                 .out = pass.shape.shardV()});
    // NormWeight and NormBias lie side by side, as their sums do.
    ops.run(Add{.y = gradient(NormWeight), .x = stash[NormSums].data(), .count = 2 * C});
}

}  // namespace bscope
