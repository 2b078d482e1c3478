// Loops in which every element stands alone, and sums over columns. Compiled once per instruction set:
// BSCOPE_SIMD_LEVEL names it. Only constants and the C language in here, see loops.h.
#include "kernels/cpu/simd/exp.h"
#include "kernels/cpu/simd/loops.h"
#include "kernels/cpu/simd/transpose.h"
#include "kernels/cpu/simd/vector.h"

namespace bscope::simd {
namespace {

void add(float* __restrict y, const float* __restrict x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) y[i] += x[i];
}

double sum_of_squares(const float* x, std::size_t count) {
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    return sum;
}

void add_bias(float* __restrict y, const float* __restrict bias, std::size_t rows, std::size_t columns) {
    for (std::size_t row = 0; row < rows; ++row, y += columns)
        for (std::size_t c = 0; c < columns; ++c) y[c] += bias[c];
}

void add_bias_residual(float* __restrict y, const float* __restrict bias, const float* __restrict residual,
                       std::size_t rows, std::size_t columns) {
    for (std::size_t row = 0; row < rows; ++row, y += columns, residual += columns)
        for (std::size_t c = 0; c < columns; ++c) y[c] += bias[c] + residual[c];
}

// Eight rows at a time, an eighth of the traffic to the sums, while the next eight are asked for.
void bias_backward(float* __restrict bias_gradient, const float* __restrict dy, std::size_t rows,
                   std::size_t columns) {
    constexpr std::size_t kRows = 8;
    const std::size_t together = rows - rows % kRows, whole = columns - columns % kLineWidth;
    for (std::size_t row = 0; row < together; row += kRows) {
        const float* const part = dy + row * columns;
        for (std::size_t c = 0; c < whole; c += kLineWidth) {
            Line sums[2] = {};
            for (std::size_t i = 0; i < kRows; ++i) {
                ask(part + (kRows + i) * columns + c);
                sums[i % 2] = sums[i % 2] + loadLine(part + i * columns + c);
            }
            store(bias_gradient + c, loadLine(bias_gradient + c) + (sums[0] + sums[1]));
        }
    }
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = row < together ? whole : 0; c < columns; ++c)
            bias_gradient[c] += dy[row * columns + c];
}

// gelu(x) = x/2 (1 + tanh(u)) = x / (1 + exp(-2u)) with u = sqrt(2/pi) (x + 0.044715 x^3)
constexpr float kMinusTwoU = -1.59576912F;  // -2 sqrt(2/pi)
constexpr float kCube = 0.044715F;

void gelu_row(float* __restrict y, const float* __restrict x, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const float v = x[i];
        y[i] = v / (1.0F + exp_clamped(kMinusTwoU * v * (1.0F + kCube * v * v)));
    }
}

// Of a row: a long one, its result and the bias are more than the first-level cache holds.
constexpr std::size_t kPiece = 1024;

void bias_gelu_forward(float* y, float* x, const float* bias, std::size_t rows, std::size_t columns) {
    for (std::size_t row = 0; row < rows; ++row, y += columns, x += columns) {
        for (std::size_t c = 0; c < columns; c += kPiece) {
            const std::size_t width = columns - c < kPiece ? columns - c : kPiece;
            if (bias) add(x + c, bias + c, width);
            gelu_row(y + c, x + c, width);
        }
    }
}

// With s = 1 / (1 + exp(-2u)): gelu' = s + x s (1 - s) 2u'
void gelu_backward(float* dx, const float* dy, const float* x, std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const float v = x[i];
        const float s = 1.0F / (1.0F + exp_clamped(kMinusTwoU * v * (1.0F + kCube * v * v)));
        const float two_du = -kMinusTwoU * (1.0F + 3.0F * kCube * v * v);
        dx[i] = dy[i] * (s + v * s * (1.0F - s) * two_du);
    }
}

void adamw_step(float* __restrict weight, float* __restrict m, float* __restrict v,
                const float* __restrict gradient, std::size_t count, float gradient_scale, float beta1,
                float beta2, float epsilon, float decay, float rate, float root_correction) {
    for (std::size_t i = 0; i < count; ++i) {
        const float g = gradient[i] * gradient_scale;
        const float new_m = beta1 * m[i] + (1.0F - beta1) * g;
        const float new_v = beta2 * v[i] + (1.0F - beta2) * g * g;
        m[i] = new_m;
        v[i] = new_v;
        weight[i] = weight[i] * decay - rate * new_m / (__builtin_sqrtf(new_v) / root_correction + epsilon);
    }
}

void transpose(float* to, std::size_t to_stride, const float* from, std::size_t stride, std::size_t rows,
               std::size_t columns) {
    const std::size_t whole_rows = rows - rows % kWidth, whole_columns = columns - columns % kWidth;
    for (std::size_t row = 0; row < whole_rows; row += kWidth)
        for (std::size_t c = 0; c < whole_columns; c += kWidth)
            transposeSquare(to + c * to_stride + row, to_stride, from + row * stride + c, stride);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = row < whole_rows ? whole_columns : 0; c < columns; ++c)
            to[c * to_stride + row] = from[row * stride + c];
}

}  // namespace

namespace BSCOPE_SIMD_LEVEL {
extern const ElementLoops element_loops;
const ElementLoops element_loops = {add,           sum_of_squares,    add_bias,      add_bias_residual,
                                    bias_backward, bias_gelu_forward, gelu_backward, adamw_step,
                                    transpose};
}  // namespace BSCOPE_SIMD_LEVEL

}  // namespace bscope::simd
