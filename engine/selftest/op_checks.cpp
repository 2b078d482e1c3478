// Sizes are small and odd on purpose: more than one tile of every kernel, and none of them full.
#include "selftest/op_checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "selftest/op_run.h"

namespace bscope {

namespace {

using reference::plusBias;
using reference::Values;
using Integers = std::vector<std::int32_t>;

// Element by element; sums over rows in fp32; matrix products and attention in fp32. With bf16 operands what
// is written is rounded, too; and in attention what one product hands to the next.
constexpr double kElement = 2e-6, kSum = 1e-5, kProduct = 1e-5, kElementBf16 = 5e-3, kProductBf16 = 1e-2;
constexpr std::size_t kRows = 131, kIn = 72, kOut = 104;

class Checks {
public:
    Checks(Device& device, Stream& stream, Ops& its_ops, const OpCheckOptions& options)
        : device_(device),
          stream_(stream),
          ops(its_ops),
          precision(options.bf16 ? Precision::Bf16 : Precision::Fp32),
          element_tolerance(options.bf16 ? kElementBf16 : kElement),
          product_tolerance(options.bf16 ? kProductBf16 : kProduct) {}

    // Numbers that an operand of this device can be.
    Floats operandNoise(std::size_t count, std::uint64_t seed) const {
        return rounded(noise(count, seed), precision);
    }

    // `body` prepares, runs and gives the greatest error.
    void add(const std::string& name, double tolerance, const std::function<double(OpRun&)>& body) {
        Check check{.name = name, .tolerance = tolerance, .failure = {}};
        OpRun run(device_, stream_);
        try {
            check.error = body(run);
            check.same_bits = run.sameBits();
        } catch (const std::exception& error) {
            check.failure = error.what();
        }
        results.push_back(check);
    }

    std::vector<Check> results;

private:
    Device& device_;
    Stream& stream_;

public:
    Ops& ops;
    const Precision precision;
    const double element_tolerance, product_tolerance;
};

Integers someTokens(std::size_t count, std::size_t below) {
    Integers tokens(count);
    for (std::size_t i = 0; i < count; ++i) tokens[i] = static_cast<std::int32_t>((i * 7 + i / 3) % below);
    return tokens;
}

Values mapped(Values values, double (*f)(double)) {
    for (double& value : values) value = f(value);
    return values;
}

Floats scaled(Floats values, float factor) {
    for (float& value : values) value *= factor;
    return values;
}

Floats squares(Floats values) {
    for (float& value : values) value *= value;
    return values;
}

void addElementwise(Checks& checks) {
    Ops& ops = checks.ops;
    const std::size_t count = kRows * kOut;
    const Floats x = noise(count, 1), y = noise(count, 2), bias = noise(kOut, 3), residual = noise(count, 4);
    checks.add("copy, fill_zero", 0, [&](OpRun& run) {
        float *const from = run.floats(x), *const to = run.floats(count), *const zero = run.floats(y);
        run.run([&] {
            ops.copy(to, from, count);
            ops.fill_zero(zero, count);
        });
        return run.error(to, toDouble(x)) + run.error(zero, Values(count));
    });
    checks.add("add", kElement, [&](OpRun& run) {
        float *const sum = run.floats(y), *const term = run.floats(x);
        run.run([&] { ops.add(sum, term, count); });
        Values expected = toDouble(y);
        for (std::size_t i = 0; i < count; ++i) expected[i] += static_cast<double>(x[i]);
        return run.error(sum, expected);
    });
    checks.add("sum_of_squares", 1e-12, [&](OpRun& run) {
        float* const values = run.floats(x);
        double* const result = run.doubles(1);
        run.run([&] { ops.sum_of_squares(result, values, count); });
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
        run.run([&] { ops.round(to, from, odd.size()); });
        return run.error(to, toDouble(rounded(odd, p)));
    });
    checks.add("add_bias", checks.element_tolerance, [&](OpRun& run) {
        const Operand to = run.operands(a, p), v = run.operands(b, p);
        run.run([&] { ops.add_bias(to, v, kRows, kOut); });
        return run.error(to, plusBias(toDouble(a), toDouble(b), {}));
    });
    checks.add("add_bias_residual", kElement, [&](OpRun& run) {
        float *const to = run.floats(y), *const v = run.floats(bias), *const r = run.floats(residual);
        run.run([&] { ops.add_bias_residual(to, v, r, kRows, kOut); });
        return run.error(to, plusBias(toDouble(y), toDouble(bias), toDouble(residual)));
    });
    checks.add("bias_backward", kSum, [&](OpRun& run) {
        float* const sums = run.floats(bias);
        const Operand d = run.operands(a, p);
        run.run([&] { ops.bias_backward(sums, d, kRows, kOut); });
        return run.error(sums, plusBias(toDouble(bias), reference::columnSums(toDouble(a), kOut), {}));
    });
    checks.add("bias_gelu_forward", checks.element_tolerance, [&](OpRun& run) {
        const Operand before = run.operands(hidden, p), v = run.operands(b, p), out = run.operands(count, p);
        run.run([&] { ops.bias_gelu_forward(out, before, v, kRows, kOut); });
        const Values expected = plusBias(toDouble(hidden), toDouble(b), {});
        return std::max(run.error(before, expected), run.error(out, mapped(expected, &reference::gelu)));
    });
    checks.add("gelu_backward, in place", checks.element_tolerance, [&](OpRun& run) {
        const Operand d = run.operands(a, p), h = run.operands(hidden, p);
        run.run([&] { ops.gelu_backward(h, d, h, count); });
        Values expected = mapped(toDouble(hidden), &reference::geluDerivative);
        for (std::size_t i = 0; i < count; ++i) expected[i] *= static_cast<double>(a[i]);
        return run.error(h, expected);
    });
    checks.add("adamw_step", kElement, [&](OpRun& run) {
        const AdamWStep step{.gradient_scale = 0.5F, .step = 3};
        const Floats v_start = squares(y);
        float *const w = run.floats(x), *const m = run.floats(y), *const v = run.floats(v_start),
                     *const g = run.floats(residual);
        run.run([&] { ops.adamw_step(w, m, v, g, count, step); });
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

void addProducts(Checks& checks) {
    Ops& ops = checks.ops;
    const Precision p = checks.precision;
    const Floats x = checks.operandNoise(kRows * kIn, 11), weight = checks.operandNoise(kOut * kIn, 12),
                 bias = checks.operandNoise(kOut, 13), residual = noise(kRows * kOut, 14),
                 dy = checks.operandNoise(kRows * kOut, 15);
    const Values exact_x = toDouble(x), exact_weight = toDouble(weight), exact_dy = toDouble(dy);
    const Values plain = reference::product(exact_x, exact_weight, false, true, kRows, kOut, kIn);
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            checks.add(std::string("matmul ") + (a ? "T" : "N") + (b ? "T" : "N"), checks.product_tolerance,
                       [&](OpRun& run) {
                           float *const left = run.floats(noise(kRows * kIn, 16)),
                                        *const right = run.floats(noise(kIn * kOut, 17)),
                                        *const c = run.floats(residual);
                           run.run([&] {
                               ops.matmul(c, left, right, Transpose{a}, Transpose{b}, kRows, kOut, kIn, 0.5F,
                                          2.0F, a ? kRows : kIn, b ? kIn : kOut, kOut);
                           });
                           Values expected =
                               reference::product(toDouble(noise(kRows * kIn, 16)),
                                                  toDouble(noise(kIn * kOut, 17)), a, b, kRows, kOut, kIn);
                           for (std::size_t i = 0; i < expected.size(); ++i)
                               expected[i] = 0.5 * expected[i] + 2.0 * static_cast<double>(residual[i]);
                           return run.error(c, expected);
                       });
    checks.add("matmul of a part", checks.product_tolerance, [&](OpRun& run) {  // leading dimensions
        float *const left = run.floats(x), *const right = run.floats(weight), *const c = run.floats(residual);
        run.run([&] {
            ops.matmul(c, left, right, Transpose::No, Transpose::Yes, 40, 24, 32, 1.0F, 0.0F, kIn, kIn, kOut);
        });
        Values expected = toDouble(residual);
        for (std::size_t i = 0; i < 40; ++i)
            for (std::size_t j = 0; j < 24; ++j) {
                expected[i * kOut + j] = 0;
                for (std::size_t k = 0; k < 32; ++k)
                    expected[i * kOut + j] += exact_x[i * kIn + k] * exact_weight[j * kIn + k];
            }
        return run.error(c, expected);
    });
    checks.add("matmul of operands", checks.product_tolerance, [&](OpRun& run) {
        const Operand left = run.operands(x, p), right = run.operands(weight, p),
                      c = run.operands(plain.size(), p);
        run.run([&] {
            ops.matmul(c, left, right, Transpose::No, Transpose::Yes, kRows, kOut, kIn, 1.0F, 0.0F, kIn, kIn,
                       kOut);
        });
        return run.error(c, plain);
    });
    checks.add("linear_forward", checks.product_tolerance, [&](OpRun& run) {
        const Operand in = run.operands(x, p), w = run.operands(weight, p),
                      rounded_bias = run.operands(bias, p), b = run.operands(dy.size(), p);
        float *const v = run.floats(bias), *const r = run.floats(residual), *const a = run.floats(dy.size()),
                     *const c = run.floats(dy.size());
        run.run([&] {
            ops.linear_forward(a, in, w, nullptr, nullptr, kRows, kIn, kOut);
            ops.linear_forward(b, in, w, rounded_bias, nullptr, kRows, kIn, kOut);
            ops.linear_forward(c, in, w, v, r, kRows, kIn, kOut);
        });
        return std::max({run.error(a, plain), run.error(b, plusBias(plain, toDouble(bias), {})),
                         run.error(c, plusBias(plain, toDouble(bias), toDouble(residual)))});
    });
    checks.add("linear_gelu_forward", checks.product_tolerance, [&](OpRun& run) {
        const Operand in = run.operands(x, p), w = run.operands(weight, p), v = run.operands(bias, p),
                      hidden = run.operands(dy.size(), p), out = run.operands(dy.size(), p);
        run.run([&] { ops.linear_gelu_forward(out, hidden, in, w, v, kRows, kIn, kOut); });
        const Values expected = plusBias(plain, toDouble(bias), {});
        return std::max(run.error(hidden, expected), run.error(out, mapped(expected, &reference::gelu)));
    });
    const Values d_input = reference::product(exact_dy, exact_weight, false, false, kRows, kIn, kOut);
    checks.add("linear_backward_input", checks.product_tolerance, [&](OpRun& run) {
        const Operand d = run.operands(dy, p), w = run.operands(weight, p), to = run.operands(x.size(), p);
        float *const d_fp32 = run.floats(dy), *const to_fp32 = run.floats(x.size());
        run.run([&] {
            ops.linear_backward_input(to_fp32, d, w, kRows, kIn, kOut);
            ops.linear_backward_input(to, d_fp32, w, kRows, kIn, kOut);
        });
        return std::max(run.error(to_fp32, d_input), run.error(to, d_input));
    });
    checks.add("linear_gelu_backward_input, in place too", checks.product_tolerance, [&](OpRun& run) {
        float* const d = run.floats(dy);
        const Operand w = run.operands(weight, p), hidden = run.operands(x, p),
                      work = run.operands(x.size(), p), elsewhere = run.operands(x.size(), p);
        run.run([&] {
            ops.linear_gelu_backward_input(elsewhere, work, d, w, hidden, kRows, kIn, kOut);
            ops.linear_gelu_backward_input(hidden, work, d, w, hidden, kRows, kIn, kOut);
        });
        Values expected = mapped(exact_x, &reference::geluDerivative);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= d_input[i];
        return std::max(run.error(hidden, expected), run.error(elsewhere, expected));
    });
    checks.add("linear_backward_weight", checks.product_tolerance, [&](OpRun& run) {
        const Operand d = run.operands(dy, p), in = run.operands(x, p);
        float *const d_fp32 = run.floats(dy), *const dw = run.floats(weight), *const db = run.floats(bias),
                     *const dw_fp32 = run.floats(weight), *const db_fp32 = run.floats(bias);
        run.run([&] {
            ops.linear_backward_weight(dw, db, d, in, kRows, kIn, kOut);
            ops.linear_backward_weight(dw_fp32, db_fp32, d_fp32, in, kRows, kIn, kOut);
        });
        Values expected = reference::product(exact_dy, exact_x, true, false, kOut, kIn, kRows);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += exact_weight[i];
        const Values sums = plusBias(toDouble(bias), reference::columnSums(exact_dy, kOut), {});
        return std::max({run.error(dw, expected), run.error(dw_fp32, expected), run.error(db, sums),
                         run.error(db_fp32, sums)});
    });
}

void addRows(Checks& checks) {
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
            run.run([&] { ops.layernorm_forward(y, mean, rstd, in, w, b, rows, C); });
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
            run.run(
                [&] { ops.layernorm_backward(in, weight_sum, bias_sum, d, in, mean, rstd, w, r, rows, C); });
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
        run.run([&] { ops.softmax_cross_entropy(loss, values, wanted, rows, V, 0.25F); });
        const auto expected = reference::crossEntropy(toDouble(logits), targets, 0.25);
        return run.error(loss, {expected.mean_loss}) + run.error(values, expected.gradient);
    });
}

void addEmbedding(Checks& checks) {
    Ops& ops = checks.ops;
    const std::size_t B = 3, T = 110, C = 72, V = 29;  // most tokens come more than once
    const Integers tokens = someTokens(B * T, V);
    const Floats token_weight = noise(V * C, 31), position_weight = noise(T * C, 32),
                 dy = noise(B * T * C, 33);
    checks.add("embedding_forward", kElement, [&](OpRun& run) {
        float *const w = run.floats(token_weight), *const p = run.floats(position_weight),
                     *const y = run.floats(dy.size());
        const std::int32_t* const t = run.integers(tokens);
        run.run([&] { ops.embedding_forward(y, t, w, p, B, T, C); });
        Values expected(dy.size());
        for (std::size_t row = 0; row < B * T; ++row)
            for (std::size_t c = 0; c < C; ++c)
                expected[row * C + c] =
                    static_cast<double>(token_weight[static_cast<std::size_t>(tokens[row]) * C + c]) +
                    static_cast<double>(position_weight[row % T * C + c]);
        return run.error(y, expected);
    });
    checks.add("embedding_backward", kSum, [&](OpRun& run) {
        float *const dw = run.floats(token_weight), *const dp = run.floats(position_weight),
                     *const d = run.floats(dy);
        const std::int32_t* const t = run.integers(tokens);
        run.run([&] { ops.embedding_backward(dw, dp, d, t, B, T, C); });
        Values ew = toDouble(token_weight), ep = toDouble(position_weight);
        for (std::size_t row = 0; row < B * T; ++row)
            for (std::size_t c = 0; c < C; ++c) {
                ew[static_cast<std::size_t>(tokens[row]) * C + c] += static_cast<double>(dy[row * C + c]);
                ep[row % T * C + c] += static_cast<double>(dy[row * C + c]);
            }
        return run.error(dw, ew) + run.error(dp, ep);
    });
}

void addAttention(Checks& checks, const std::vector<std::size_t>& head_sizes) {
    Ops& ops = checks.ops;
    for (const std::size_t d : head_sizes) {
        const std::size_t B = 2, T = 83, heads = 2, C = heads * d;
        const std::string size = " d=" + std::to_string(d);
        const Precision p = checks.precision;
        const Floats qkv = checks.operandNoise(B * T * 3 * C, 41), dy = checks.operandNoise(B * T * C, 42);
        const std::size_t kept_floats = ops.attention_kept_floats(B, T, heads);
        checks.add("attention_forward" + size, checks.product_tolerance, [&](OpRun& run) {
            const Operand in = run.operands(qkv, p), y = run.operands(dy.size(), p);
            float* const kept = run.floats(kept_floats);
            run.run([&] { ops.attention_forward(y, kept, in, B, T, C, heads); });
            return run.error(y, reference::attention(toDouble(qkv), {B, T, C, heads}));
        });
        checks.add("attention_backward, in place" + size, checks.product_tolerance, [&](OpRun& run) {
            const Operand in = run.operands(qkv, p), y = run.operands(dy.size(), p),
                          d_out = run.operands(dy, p);
            float* const kept = run.floats(kept_floats);
            run.run([&] {
                ops.attention_forward(y, kept, in, B, T, C, heads);
                ops.attention_backward(in, d_out, y, kept, in, B, T, C, heads);
            });
            return run.error(in, reference::attentionBackward(toDouble(dy), toDouble(qkv), {B, T, C, heads}));
        });
    }
}

}  // namespace

std::vector<Check> checkOps(Device& device, Stream& stream, Ops& ops, const OpCheckOptions& options) {
    Checks checks(device, stream, ops, options);
    addElementwise(checks);
    addProducts(checks);
    addRows(checks);
    addEmbedding(checks);
    addAttention(checks, options.head_sizes);
    return std::move(checks.results);
}

}  // namespace bscope
