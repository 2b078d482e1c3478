// Sizes are small and odd on purpose: more than one tile of every kernel, and none of them full.
#include "selftest/op_checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "selftest/op_check_list.h"

namespace bscope {

namespace {

using reference::plusBias;
using reference::Values;
using Integers = std::vector<std::int32_t>;

Integers someTokens(std::size_t count, std::size_t below) {
    Integers tokens(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<std::int32_t>((i * 7 + i / 3) % below);
    return tokens;
}

Floats scaled(Floats values, float factor) {
    for (float& value : values) value *= factor;
    return values;
}

Floats squares(Floats values) {
    for (float& value : values) value *= value;
    return values;
}

void addElementwise(OpChecks& checks) {
    Ops& ops = checks.ops;
    const std::size_t count = kRows * kOut;
    const Floats x = noise(count, 1), y = noise(count, 2), bias = noise(kOut, 3), residual = noise(count, 4);
    checks.add("copy, fill_zero", 0, [&](OpRun& run) {
        float *const from = run.floats(x), *const to = run.floats(count), *const zero = run.floats(y);
        run.run([&] {
            ops.run(CopyFloats{.to = to, .from = from, .count = count});
            ops.run(FillZero{.x = zero, .count = count});
        });
        return run.error(to, toDouble(x)) + run.error(zero, Values(count));
    });
    checks.add("add", kElement, [&](OpRun& run) {
        float *const sum = run.floats(y), *const term = run.floats(x);
        run.run([&] { ops.run(Add{.y = sum, .x = term, .count = count}); });
        Values expected = toDouble(y);
        for (std::size_t i = 0; i < count; ++i) expected[i] += static_cast<double>(x[i]);
        return run.error(sum, expected);
    });
    checks.add("sum_of_squares", 1e-12, [&](OpRun& run) {
        float* const values = run.floats(x);
        double* const result = run.doubles(1);
        run.run([&] { ops.run(SumOfSquares{.result = result, .x = values, .count = count}); });
        const Values exact = toDouble(x);
        return run.error(result, {std::inner_product(exact.begin(), exact.end(), exact.begin(), 0.0)});
    });
    const Precision p = checks.precision;
    const Floats a = checks.operandNoise(count, 5), b = checks.operandNoise(kOut, 6),
                 hidden = rounded(scaled(noise(count, 7), 4.0F), p);
    checks.add("round", 0, [&](OpRun& run) {
        const Floats odd(x.begin(), x.end() - 1);
        float* const from = run.floats(odd);
        const Operand to = run.operands(odd.size(), p);
        run.run([&] { ops.run(Round{.to = to, .from = from, .count = odd.size()}); });
        return run.error(to, toDouble(rounded(odd, p)));
    });
    checks.add("add_bias", checks.element_tolerance, [&](OpRun& run) {
        const Operand to = run.operands(a, p), v = run.operands(b, p);
        run.run([&] { ops.run(AddBias{.y = to, .bias = v, .rows = kRows, .columns = kOut}); });
        return run.error(to, plusBias(toDouble(a), toDouble(b), {}));
    });
    checks.add("add_bias_residual", kElement, [&](OpRun& run) {
        float *const to = run.floats(y), *const v = run.floats(bias), *const r = run.floats(residual);
        run.run([&] {
            ops.run(AddBiasResidual{.y = to, .bias = v, .residual = r, .rows = kRows, .columns = kOut});
        });
        return run.error(to, plusBias(toDouble(y), toDouble(bias), toDouble(residual)));
    });
    checks.add("bias_backward", kSum, [&](OpRun& run) {
        float* const sums = run.floats(bias);
        const Operand d = run.operands(a, p);
        run.run([&] { ops.run(BiasBackward{.d_bias = sums, .dy = d, .rows = kRows, .columns = kOut}); });
        return run.error(sums, plusBias(toDouble(bias), reference::columnSums(toDouble(a), kOut), {}));
    });
    checks.add("bias_gelu_forward", checks.element_tolerance, [&](OpRun& run) {
        const Operand before = run.operands(hidden, p), v = run.operands(b, p), out = run.operands(count, p);
        run.run([&] {
            ops.run(BiasGeluForward{.y = out, .x = before, .bias = v, .rows = kRows, .columns = kOut});
        });
        const Values expected = plusBias(toDouble(hidden), toDouble(b), {});
        return std::max(run.error(before, expected), run.error(out, mapped(expected, &reference::gelu)));
    });
    checks.add("gelu_backward, in place", checks.element_tolerance, [&](OpRun& run) {
        const Operand d = run.operands(a, p), h = run.operands(hidden, p);
        run.run([&] { ops.run(GeluBackward{.dx = h, .dy = d, .x = h, .count = count}); });
        Values expected = mapped(toDouble(hidden), &reference::geluDerivative);
        for (std::size_t i = 0; i < count; ++i) expected[i] *= static_cast<double>(a[i]);
        return run.error(h, expected);
    });
    checks.add("adamw_step", kElement, [&](OpRun& run) {
        const AdamWStep step{.gradient_scale = 0.5F, .step = 3};
        const Floats v_start = squares(y);
        float *const w = run.floats(x), *const m = run.floats(y), *const v = run.floats(v_start),
                     *const g = run.floats(residual);
        run.run([&] {
            ops.run(AdamW{.weight = w, .m = m, .v = v, .gradient = g, .count = count, .step = step});
        });
        Values ew(count), em(count), ev(count);
        const double b1 = double{step.beta1}, b2 = double{step.beta2}, rate = double{step.learning_rate};
        for (std::size_t i = 0; i < count; ++i) {
            const double d = static_cast<double>(residual[i]) * 0.5;
            em[i] = b1 * static_cast<double>(y[i]) + (1 - b1) * d;
            ev[i] = b2 * static_cast<double>(v_start[i]) + (1 - b2) * d * d;
            const double unbiased_m = em[i] / (1 - b1 * b1 * b1), unbiased_v = ev[i] / (1 - b2 * b2 * b2);
            ew[i] = static_cast<double>(x[i]) * (1 - rate * double{step.weight_decay}) -
                    rate * unbiased_m / (std::sqrt(unbiased_v) + double{step.epsilon});
        }
        return run.error(w, ew) + run.error(m, em) + run.error(v, ev);
    });
}

// Two parts of the columns, one after the other, and what stands for their sum.
void addCrossEntropyOfParts(OpChecks& checks) {
    Ops& ops = checks.ops;
    checks.add("cross_entropy_part", kSum, [&](OpRun& run) {
        const std::size_t rows = 37, V = 517, cut[] = {0, 200, V};
        const Floats logits = scaled(noise(rows * V, 27), 8.0F);
        const Integers targets = someTokens(rows, V);
        const std::int32_t* const wanted = run.integers(targets);
        float *const maxima = run.floats(2 * rows), *const sums = run.floats(2 * rows),
                     *const target_logits = run.floats(2 * rows), *values[2];
        double* const loss = run.doubles(2);
        for (const std::size_t part : {0UL, 1UL}) {
            Floats of_part;
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t column = cut[part]; column < cut[part + 1]; ++column)
                    of_part.push_back(logits[row * V + column]);
            values[part] = run.floats(of_part);
        }
        run.run([&] {
            for (const std::size_t part : {0UL, 1UL})
                ops.run(RowMaximum{.maxima = maxima + part * rows,
                                   .x = values[part],
                                   .rows = rows,
                                   .columns = cut[part + 1] - cut[part]});
            for (const std::size_t part : {0UL, 1UL})
                ops.run(SoftmaxPart{.sums = sums + part * rows,
                                    .target_logits = target_logits + part * rows,
                                    .logits = values[part],
                                    .maxima = maxima,
                                    .targets = wanted,
                                    .rows = rows,
                                    .V = cut[part + 1] - cut[part],
                                    .first = cut[part],
                                    .parts = 2});
            for (float* const both : {sums, target_logits})
                ops.run(Add{.y = both, .x = both + rows, .count = rows});
            for (const std::size_t part : {0UL, 1UL})
                ops.run(CrossEntropyPart{.mean_loss = loss + part,
                                         .logits = values[part],
                                         .sums = sums,
                                         .target_logits = target_logits,
                                         .targets = wanted,
                                         .rows = rows,
                                         .V = cut[part + 1] - cut[part],
                                         .first = cut[part],
                                         .gradient_scale = 0.25F});
        });
        const auto expected = reference::crossEntropy(toDouble(logits), targets, 0.25);
        double error = run.error(loss, {expected.mean_loss, expected.mean_loss});
        for (const std::size_t part : {0UL, 1UL}) {
            Values gradient;
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t column = cut[part]; column < cut[part + 1]; ++column)
                    gradient.push_back(expected.gradient[row * V + column]);
            error += run.error(values[part], gradient);
        }
        return error;
    });
}

void addRows(OpChecks& checks) {
    Ops& ops = checks.ops;
    for (const std::size_t C : {std::size_t{96}, std::size_t{600}}) {
        const std::size_t rows = 300;  // more than one a block of the backward
        const std::string size = " C=" + std::to_string(C);
        const Floats x = noise(rows * C, 21), weight = noise(C, 22), bias = noise(C, 23),
                     dy = noise(rows * C, 24), residual = noise(rows * C, 25);
        const reference::LayerNorm expected =
            reference::layernorm(toDouble(x), toDouble(weight), toDouble(bias));
        checks.add("layernorm_forward" + size, std::max(kSum, checks.element_tolerance), [&](OpRun& run) {
            float *const in = run.floats(x), *const w = run.floats(weight), *const b = run.floats(bias),
                         *const mean = run.floats(rows), *const rstd = run.floats(rows);
            const Operand y = run.operands(x.size(), checks.precision);
            run.run([&] {
                ops.run(LayernormForward{.y = y,
                                         .mean = mean,
                                         .rstd = rstd,
                                         .x = in,
                                         .weight = w,
                                         .bias = b,
                                         .rows = rows,
                                         .C = C});
            });
            return std::max(
                {run.error(y, expected.y), run.error(mean, expected.mean), run.error(rstd, expected.rstd)});
        });
        checks.add("layernorm_backward, in place" + size, kSum, [&](OpRun& run) {
            const Floats means(expected.mean.begin(), expected.mean.end()),
                rstds(expected.rstd.begin(), expected.rstd.end());
            float *const d = run.floats(dy), *const in = run.floats(x), *const w = run.floats(weight),
                         *const r = run.floats(residual), *const mean = run.floats(means),
                         *const rstd = run.floats(rstds), *const weight_sum = run.floats(weight),
                         *const bias_sum = run.floats(bias);
            run.run([&] {
                ops.run(LayernormBackward{.dx = in,
                                          .weight_sum = weight_sum,
                                          .bias_sum = bias_sum,
                                          .dy = d,
                                          .x = in,
                                          .mean = mean,
                                          .rstd = rstd,
                                          .weight = w,
                                          .d_residual = r,
                                          .rows = rows,
                                          .C = C});
            });
            const auto gradients =
                reference::layernormBackward(toDouble(dy), toDouble(x), toDouble(weight), toDouble(residual));
            return run.error(in, gradients.dx) + run.error(weight_sum, gradients.weight_sum) +
                   run.error(bias_sum, gradients.bias_sum);
        });
    }
    checks.add("softmax_cross_entropy", kSum, [&](OpRun& run) {
        const std::size_t rows = 37, V = 517;
        const Floats logits = scaled(noise(rows * V, 26), 8.0F);
        const Integers targets = someTokens(rows, V);
        float* const values = run.floats(logits);
        double* const loss = run.doubles(1);
        const std::int32_t* const wanted = run.integers(targets);
        run.run([&] {
            ops.run(SoftmaxCrossEntropy{.mean_loss = loss,
                                        .logits = values,
                                        .targets = wanted,
                                        .rows = rows,
                                        .V = V,
                                        .gradient_scale = 0.25F});
        });
        const auto expected = reference::crossEntropy(toDouble(logits), targets, 0.25);
        return run.error(loss, {expected.mean_loss}) + run.error(values, expected.gradient);
    });
    addCrossEntropyOfParts(checks);
}

void addEmbedding(OpChecks& checks) {
    Ops& ops = checks.ops;
    const std::size_t B = 3, T = 110, C = 72, V = 29;  // most tokens come more than once
    const std::size_t first = 11;                      // of a part of the vocabulary
    const Integers tokens = someTokens(B * T, V);
    const Floats token_weight = noise(V * C, 31), position_weight = noise(T * C, 32),
                 dy = noise(B * T * C, 33);
    checks.add("embedding_forward", kElement, [&](OpRun& run) {
        float *const w = run.floats(token_weight), *const p = run.floats(position_weight),
                     *const y = run.floats(dy.size());
        const std::int32_t* const t = run.integers(tokens);
        run.run([&] {
            ops.run(EmbeddingForward{.y = y,
                                     .tokens = t,
                                     .token_weight = w,
                                     .position_weight = p,
                                     .B = B,
                                     .T = T,
                                     .C = C,
                                     .first = 0,
                                     .V = V});
        });
        Values expected(dy.size());
        for (std::size_t row = 0; row < B * T; ++row)
            for (std::size_t c = 0; c < C; ++c)
                expected[row * C + c] =
                    static_cast<double>(token_weight[static_cast<std::size_t>(tokens[row]) * C + c]) +
                    static_cast<double>(position_weight[row % T * C + c]);
        return run.error(y, expected);
    });
    checks.add("embedding_forward, of a part", kElement, [&](OpRun& run) {
        float *const w = run.floats(token_weight), *const y = run.floats(dy.size());
        const std::int32_t* const t = run.integers(tokens);
        run.run([&] {
            ops.run(EmbeddingForward{.y = y,
                                     .tokens = t,
                                     .token_weight = w,
                                     .position_weight = nullptr,
                                     .B = B,
                                     .T = T,
                                     .C = C,
                                     .first = first,
                                     .V = V - first});
        });
        Values expected(dy.size());
        for (std::size_t row = 0; row < B * T; ++row)
            for (std::size_t c = 0; c < C; ++c) {
                const std::size_t token = static_cast<std::size_t>(tokens[row]) - first;
                if (token < V - first)
                    expected[row * C + c] = static_cast<double>(token_weight[token * C + c]);
            }
        return run.error(y, expected);
    });
    checks.add("embedding_backward", kSum, [&](OpRun& run) {
        float *const dw = run.floats(token_weight), *const dp = run.floats(position_weight),
                     *const d = run.floats(dy);
        const std::int32_t* const t = run.integers(tokens);
        run.run([&] {
            ops.run(EmbeddingBackward{.token_gradient = dw,
                                      .position_gradient = dp,
                                      .dy = d,
                                      .tokens = t,
                                      .B = B,
                                      .T = T,
                                      .C = C,
                                      .first = first,
                                      .V = V - first});
        });
        Values ew = toDouble(token_weight), ep = toDouble(position_weight);
        for (std::size_t row = 0; row < B * T; ++row)
            for (std::size_t c = 0; c < C; ++c) {
                const std::size_t token = static_cast<std::size_t>(tokens[row]) - first;
                if (token < V - first) ew[token * C + c] += static_cast<double>(dy[row * C + c]);
                ep[row % T * C + c] += static_cast<double>(dy[row * C + c]);
            }
        return run.error(dw, ew) + run.error(dp, ep);
    });
}

void addAttention(OpChecks& checks, const std::vector<std::size_t>& head_sizes) {
    Ops& ops = checks.ops;
    for (const std::size_t d : head_sizes) {
        const std::size_t B = 2, T = 83, heads = 2, C = heads * d;
        const std::string size = " d=" + std::to_string(d);
        const Precision p = checks.precision;
        const Floats qkv = checks.operandNoise(B * T * 3 * C, 41), dy = checks.operandNoise(B * T * C, 42);
        const std::size_t kept_floats = ops.attentionKeptFloats(B, T, heads);
        checks.add("attention_forward" + size, checks.product_tolerance, [&](OpRun& run) {
            const Operand in = run.operands(qkv, p), y = run.operands(dy.size(), p);
            float* const kept = run.floats(kept_floats);
            run.run([&] {
                ops.run(AttentionForward{
                    .y = y, .kept = kept, .qkv = in, .B = B, .T = T, .C = C, .heads = heads});
            });
            return run.error(y, reference::attention(toDouble(qkv), {B, T, C, heads}));
        });
        checks.add("attention_backward, in place" + size, checks.product_tolerance, [&](OpRun& run) {
            const Operand in = run.operands(qkv, p), y = run.operands(dy.size(), p),
                          d_out = run.operands(dy, p);
            float* const kept = run.floats(kept_floats);
            run.run([&] {
                ops.run(AttentionForward{
                    .y = y, .kept = kept, .qkv = in, .B = B, .T = T, .C = C, .heads = heads});
                ops.run(AttentionBackward{.d_qkv = in,
                                          .dy = d_out,
                                          .y = y,
                                          .kept = kept,
                                          .qkv = in,
                                          .B = B,
                                          .T = T,
                                          .C = C,
                                          .heads = heads});
            });
            return run.error(in, reference::attentionBackward(toDouble(dy), toDouble(qkv), {B, T, C, heads}));
        });
    }
}

}  // namespace

std::vector<Check> checkOps(Device& device, Stream& stream, Ops& ops, const OpCheckOptions& options) {
    OpChecks checks(device, stream, ops, options);
    addElementwise(checks);
    addProducts(checks);
    addRows(checks);
    addEmbedding(checks);
    addAttention(checks, options.head_sizes);
    addSegmentAttention(checks, options.head_sizes);
    return std::move(checks.results);
}

}  // namespace bscope
