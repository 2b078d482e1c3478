// Loops that reduce rows: LayerNorm, causal softmax, cross-entropy. Compiled once per instruction set, see
// loops.h.
#include "kernels/cpu/simd/exp.h"
#include "kernels/cpu/simd/loops.h"
#include "kernels/cpu/simd/vector.h"

namespace bscope::simd {
namespace {

constexpr float kEpsilon = 1e-5F;

// How many numbers ahead LayerNorm asks for lines: of what is summed up, and of what is read besides or
// written. Found by trying; from 1024 to 4096 little changes.
constexpr std::size_t kForwardSums = 1536, kForwardResults = 3072, kBackwardSums = 2048,
                      kBackwardResults = 1024;

// Of a row: the sum of (x - mean)^power, power being 1 or 2. Two sums, since one would wait for its own last
// addition.
BSCOPE_INLINE float sumOf(const float* x, std::size_t C, float mean, int power) {
    Line sums[2] = {};
    const std::size_t whole = C - C % (2 * kLineWidth);
    for (std::size_t c = 0; c < whole; c += 2 * kLineWidth) {
#pragma GCC unroll 2
        for (std::size_t i = 0; i < 2; ++i) {
            ask(x + kForwardSums + c + i * kLineWidth);
            const Line part = loadLine(x + c + i * kLineWidth) - mean;
            sums[i] = sums[i] + (power == 1 ? part : part * part);
        }
    }
    float all = sum(sums[0] + sums[1]);
    for (std::size_t c = whole; c < C; ++c) all += power == 1 ? x[c] - mean : (x[c] - mean) * (x[c] - mean);
    return all;
}

// A row is written while the next one is summed up: what comes from the memory and what goes there alternate.
void layernorm_forward(float* __restrict y, float* __restrict mean, float* __restrict rstd,
                       const float* __restrict x, const float* __restrict weight,
                       const float* __restrict bias, std::size_t rows, std::size_t C) {
    const float scale = 1.0F / static_cast<float>(C);
    const std::size_t whole = C - C % kLineWidth;
    float total = rows > 0 ? sumOf(x, C, 0.0F, 1) : 0.0F;
    for (std::size_t row = 0; row < rows; ++row, x += C, y += C) {
        const float mu = total * scale;
        const float s = 1.0F / __builtin_sqrtf(sumOf(x, C, mu, 2) * scale + kEpsilon);
        const float* const next = row + 1 < rows ? x + C : x;
        Line sums = {};
        for (std::size_t c = 0; c < whole; c += kLineWidth) {
            sums = sums + loadLine(next + c);
            ask(y + kForwardResults + c);
            store(y + c, (loadLine(x + c) - mu) * s * loadLine(weight + c) + loadLine(bias + c));
        }
        total = sum(sums);
        for (std::size_t c = whole; c < C; ++c) {
            total += next[c];
            y[c] = (x[c] - mu) * s * weight[c] + bias[c];
        }
        mean[row] = mu;
        rstd[row] = s;
    }
}

// While a row is summed up, what results need besides is asked for; while its own is written, what sums need.
void layernorm_backward(float* dx, float* __restrict weight_sum, float* __restrict bias_sum,
                        const float* __restrict dy, const float* x, const float* __restrict mean,
                        const float* __restrict rstd, const float* __restrict weight, const float* d_residual,
                        std::size_t rows, std::size_t C) {
    const float scale = 1.0F / static_cast<float>(C);
    const std::size_t whole = C - C % kLineWidth;
    for (std::size_t c = 0; c < C; ++c) weight_sum[c] = bias_sum[c] = 0.0F;
    for (std::size_t row = 0; row < rows; ++row, x += C, dx += C, dy += C) {
        const float mu = mean[row], s = rstd[row];
        const float* const residual = d_residual != nullptr ? d_residual + row * C : nullptr;
        Line ones = {}, xhats = {};
        for (std::size_t c = 0; c < whole; c += kLineWidth) {
            ask(dx + kBackwardResults + c);
            if (residual != nullptr) ask(residual + kBackwardResults + c);
            const Line d = loadLine(dy + c), xhat = (loadLine(x + c) - mu) * s;
            const Line d_xhat = d * loadLine(weight + c);
            store(weight_sum + c, loadLine(weight_sum + c) + d * xhat);
            store(bias_sum + c, loadLine(bias_sum + c) + d);
            ones = ones + d_xhat;
            xhats = xhats + d_xhat * xhat;
        }
        float dot_one = sum(ones), dot_xhat = sum(xhats);
        for (std::size_t c = whole; c < C; ++c) {
            const float xhat = (x[c] - mu) * s, d_xhat = dy[c] * weight[c];
            weight_sum[c] += dy[c] * xhat;
            bias_sum[c] += dy[c];
            dot_one += d_xhat;
            dot_xhat += d_xhat * xhat;
        }
        const float a = dot_one * scale, b = dot_xhat * scale * s;
        for (std::size_t c = 0; c < whole; c += kLineWidth) {
            ask(x + kBackwardSums + c);
            ask(dy + kBackwardSums + c);
            const Line d_x = (loadLine(dy + c) * loadLine(weight + c) - a - (loadLine(x + c) - mu) * b) * s;
            store(dx + c, residual != nullptr ? loadLine(residual + c) + d_x : d_x);
        }
        for (std::size_t c = whole; c < C; ++c) {
            const float d_x = (dy[c] * weight[c] - a - (x[c] - mu) * b) * s;
            dx[c] = residual != nullptr ? residual[c] + d_x : d_x;
        }
    }
}

// The next multiple of 16, at most `limit`: full vectors where it costs nothing.
std::size_t padded(std::size_t n, std::size_t limit) {
    const std::size_t up = (n + 15) & ~std::size_t{15};
    return up < limit ? up : limit;
}

float greatest(const float* x, std::size_t count) {
    float top = x[0];
#pragma omp simd reduction(max : top)
    for (std::size_t i = 0; i < count; ++i) top = x[i] > top ? x[i] : top;
    return top;
}

// x becomes exp(x - top); returns the sum.
float exponentiate(float* x, std::size_t count, float top) {
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = exp_clamped(x[i] - top);
        sum += x[i];
    }
    return sum;
}

void causal_softmax_forward(float* scores, std::size_t first_row, std::size_t rows, std::size_t T) {
    for (std::size_t row = 0; row < rows; ++row, scores += T) {
        const std::size_t n = first_row + row + 1;
        const std::size_t width = padded(n, T);
        for (std::size_t j = n; j < width; ++j) scores[j] = -__builtin_inff();
        // What the padding adds, exp(-87), is below the last bit of a sum that is at least 1.
        const float scale = 1.0F / exponentiate(scores, width, greatest(scores, width));
#pragma omp simd
        for (std::size_t j = 0; j < width; ++j) scores[j] *= scale;
        for (std::size_t j = n; j < T; ++j) scores[j] = 0.0F;
    }
}

// dS = P (dP - sum(P dP)); P is zero from column row + 1 on, and so is dS.
void causal_softmax_backward(float* __restrict d_scores, const float* __restrict probabilities,
                             std::size_t first_row, std::size_t rows, std::size_t width, std::size_t T) {
    for (std::size_t row = 0; row < rows; ++row, d_scores += T, probabilities += T) {
        const std::size_t n = padded(first_row + row + 1, width);
        float dot = 0.0F;
#pragma omp simd reduction(+ : dot)
        for (std::size_t j = 0; j < n; ++j) dot += probabilities[j] * d_scores[j];
#pragma omp simd
        for (std::size_t j = 0; j < n; ++j) d_scores[j] = probabilities[j] * (d_scores[j] - dot);
        for (std::size_t j = n; j < width; ++j) d_scores[j] = 0.0F;
    }
}

double softmax_cross_entropy(float* logits, const std::int32_t* targets, std::size_t rows, std::size_t V,
                             float gradient_scale) {
    double loss = 0.0;
    for (std::size_t row = 0; row < rows; ++row, logits += V) {
        const float target = logits[targets[row]];
        const float maximum = greatest(logits, V);
        const float sum = exponentiate(logits, V, maximum);
        loss += __builtin_log(static_cast<double>(sum)) + static_cast<double>(maximum) -
                static_cast<double>(target);
        const float scale = gradient_scale / sum;
#pragma omp simd
        for (std::size_t j = 0; j < V; ++j) logits[j] *= scale;
        logits[targets[row]] -= gradient_scale;
    }
    return loss;
}

void row_maximum(float* maxima, const float* x, std::size_t rows, std::size_t columns) {
    for (std::size_t row = 0; row < rows; ++row) maxima[row] = greatest(x + row * columns, columns);
}

// The column of the part that has the row's target; V or more when none of its columns has.
std::size_t targetColumn(const LogitsPart& part, std::size_t row) {
    return static_cast<std::size_t>(part.targets[row]) - part.first;
}

void softmax_part(const LogitsPart& part, float* sums, float* target_logits, const float* maxima,
                  std::size_t parts) {
    for (std::size_t row = 0; row < part.rows; ++row) {
        float* const logits = part.logits + row * part.V;
        float top = maxima[row];
        for (std::size_t i = 1; i < parts; ++i) {
            const float other = maxima[i * part.rows + row];
            top = other > top ? other : top;
        }
        const std::size_t target = targetColumn(part, row);
        target_logits[row] = target < part.V ? logits[target] - top : 0.0F;
        sums[row] = exponentiate(logits, part.V, top);
    }
}

double cross_entropy_part(const LogitsPart& part, const float* sums, const float* target_logits,
                          float gradient_scale) {
    double loss = 0.0;
    for (std::size_t row = 0; row < part.rows; ++row) {
        float* const logits = part.logits + row * part.V;
        loss += __builtin_log(static_cast<double>(sums[row])) - static_cast<double>(target_logits[row]);
        const float scale = gradient_scale / sums[row];
#pragma omp simd
        for (std::size_t j = 0; j < part.V; ++j) logits[j] *= scale;
        const std::size_t target = targetColumn(part, row);
        if (target < part.V) logits[target] -= gradient_scale;
    }
    return loss;
}

}  // namespace

namespace BSCOPE_SIMD_LEVEL {
extern const RowLoops row_loops;
const RowLoops row_loops = {
    layernorm_forward,     layernorm_backward, causal_softmax_forward, causal_softmax_backward,
    softmax_cross_entropy, row_maximum,        softmax_part,           cross_entropy_part};
}  // namespace BSCOPE_SIMD_LEVEL

}  // namespace bscope::simd
