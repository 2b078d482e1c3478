#include "selftest/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bscope::reference {

Values product(const Values& a, const Values& b, bool transpose_a, bool transpose_b, std::size_t rows,
               std::size_t columns, std::size_t inner) {
    Values c(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            for (std::size_t k = 0; k < inner; ++k)
                c[i * columns + j] += a[transpose_a ? k * rows + i : i * inner + k] *
                                      b[transpose_b ? j * inner + k : k * columns + j];
    return c;
}

Values plusBias(Values y, const Values& bias, const Values& residual) {
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] += bias[i % bias.size()] + (residual.empty() ? 0.0 : residual[i]);
    return y;
}

Values columnSums(const Values& dy, std::size_t columns) {
    Values sums(columns);
    for (std::size_t i = 0; i < dy.size(); ++i) sums[i % columns] += dy[i];
    return sums;
}

namespace {
const double kGelu = std::sqrt(2.0 / std::numbers::pi);
}

double gelu(double x) {
    return 0.5 * x * (1.0 + std::tanh(kGelu * (x + 0.044715 * x * x * x)));
}

double geluDerivative(double x) {
    const double t = std::tanh(kGelu * (x + 0.044715 * x * x * x));
    return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * kGelu * (1.0 + 3.0 * 0.044715 * x * x);
}

LayerNorm layernorm(const Values& x, const Values& weight, const Values& bias) {
    const std::size_t C = weight.size(), rows = x.size() / C;
    const double n = static_cast<double>(C);
    LayerNorm result{Values(x.size()), Values(rows), Values(rows)};
    for (std::size_t row = 0; row < rows; ++row) {
        const double* in = x.data() + row * C;
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c) mean += in[c] / n;
        for (std::size_t c = 0; c < C; ++c) variance += (in[c] - mean) * (in[c] - mean) / n;
        const double rstd = 1.0 / std::sqrt(variance + 1e-5);
        result.mean[row] = mean;
        result.rstd[row] = rstd;
        for (std::size_t c = 0; c < C; ++c)
            result.y[row * C + c] = (in[c] - mean) * rstd * weight[c] + bias[c];
    }
    return result;
}

LayerNormGradients layernormBackward(const Values& dy, const Values& x, const Values& weight,
                                     const Values& d_residual) {
    const std::size_t C = weight.size(), rows = x.size() / C;
    const double n = static_cast<double>(C);
    const LayerNorm forward = layernorm(x, weight, Values(C));
    LayerNormGradients result{d_residual.empty() ? Values(x.size()) : d_residual, Values(C), Values(C)};
    for (std::size_t row = 0; row < rows; ++row) {
        double sum = 0, dot = 0;
        const auto normalised = [&](std::size_t c) {
            return (x[row * C + c] - forward.mean[row]) * forward.rstd[row];
        };
        for (std::size_t c = 0; c < C; ++c) {
            const double d = dy[row * C + c];
            sum += d * weight[c] / n;
            dot += d * weight[c] * normalised(c) / n;
            result.weight_sum[c] += d * normalised(c);
            result.bias_sum[c] += d;
        }
        for (std::size_t c = 0; c < C; ++c)
            result.dx[row * C + c] +=
                (dy[row * C + c] * weight[c] - sum - normalised(c) * dot) * forward.rstd[row];
    }
    return result;
}

namespace {

// Calls `with(sample, head)` for every head, and gives access to its q, k and v (part 0, 1, 2).
struct Heads {
    const AttentionSizes& sizes;
    std::size_t d = sizes.C / sizes.heads;
    double scale = 1.0 / std::sqrt(static_cast<double>(d));

    std::size_t qkv(std::size_t b, std::size_t head, std::size_t t, std::size_t part) const {
        return (b * sizes.T + t) * 3 * sizes.C + part * sizes.C + head * d;
    }
    std::size_t y(std::size_t b, std::size_t head, std::size_t t) const {
        return (b * sizes.T + t) * sizes.C + head * d;
    }
    double dot(const double* a, const double* b) const {
        double sum = 0;
        for (std::size_t i = 0; i < d; ++i) sum += a[i] * b[i];
        return sum;
    }
    // The probabilities of row t, (t + 1).
    Values row(const Values& values, std::size_t b, std::size_t head, std::size_t t) const {
        Values p(t + 1);
        for (std::size_t s = 0; s <= t; ++s)
            p[s] = scale * dot(&values[qkv(b, head, t, 0)], &values[qkv(b, head, s, 1)]);
        const double top = *std::max_element(p.begin(), p.end());
        double sum = 0;
        for (double& one : p) sum += one = std::exp(one - top);
        for (double& one : p) one /= sum;
        return p;
    }
};

}  // namespace

Values attention(const Values& qkv, const AttentionSizes& sizes) {
    const Heads heads{sizes};
    Values y(sizes.B * sizes.T * sizes.C);
    for (std::size_t b = 0; b < sizes.B; ++b)
        for (std::size_t head = 0; head < sizes.heads; ++head)
            for (std::size_t t = 0; t < sizes.T; ++t) {
                const Values p = heads.row(qkv, b, head, t);
                for (std::size_t s = 0; s <= t; ++s)
                    for (std::size_t i = 0; i < heads.d; ++i)
                        y[heads.y(b, head, t) + i] += p[s] * qkv[heads.qkv(b, head, s, 2) + i];
            }
    return y;
}

Values attentionBackward(const Values& dy, const Values& qkv, const AttentionSizes& sizes) {
    const Heads heads{sizes};
    Values d_qkv(qkv.size());
    for (std::size_t b = 0; b < sizes.B; ++b)
        for (std::size_t head = 0; head < sizes.heads; ++head)
            for (std::size_t t = 0; t < sizes.T; ++t) {
                const Values p = heads.row(qkv, b, head, t);
                const double* d_out = &dy[heads.y(b, head, t)];
                Values d_p(t + 1);
                double delta = 0;
                for (std::size_t s = 0; s <= t; ++s) {
                    d_p[s] = heads.dot(d_out, &qkv[heads.qkv(b, head, s, 2)]);
                    delta += p[s] * d_p[s];
                }
                for (std::size_t s = 0; s <= t; ++s) {
                    const double d_score = p[s] * (d_p[s] - delta) * heads.scale;
                    const std::size_t q = heads.qkv(b, head, t, 0), k = heads.qkv(b, head, s, 1),
                                      v = heads.qkv(b, head, s, 2);
                    for (std::size_t i = 0; i < heads.d; ++i) {
                        d_qkv[q + i] += d_score * qkv[k + i];
                        d_qkv[k + i] += d_score * qkv[q + i];
                        d_qkv[v + i] += p[s] * d_out[i];
                    }
                }
            }
    return d_qkv;
}

CrossEntropy crossEntropy(const Values& logits, const std::vector<std::int32_t>& targets,
                          double gradient_scale) {
    const std::size_t rows = targets.size(), V = logits.size() / rows;
    CrossEntropy result{0.0, logits};
    for (std::size_t row = 0; row < rows; ++row) {
        double* const values = result.gradient.data() + row * V;
        const std::size_t target = static_cast<std::size_t>(targets[row]);
        const double top = *std::max_element(values, values + V), of_target = values[target];
        double sum = 0;
        for (std::size_t j = 0; j < V; ++j) sum += values[j] = std::exp(values[j] - top);
        result.mean_loss += (std::log(sum) + top - of_target) / static_cast<double>(rows);
        for (std::size_t j = 0; j < V; ++j)
            values[j] = (values[j] / sum - (j == target ? 1.0 : 0.0)) * gradient_scale;
    }
    return result;
}

}  // namespace bscope::reference
