// LayerNorm. A block takes a row at a time and holds it in registers, so every number is read once: forward
// reads x and writes y; backward reads dy, x (and the residual's gradient) and writes dx, and keeps the
// column sums of its rows until its end. kPerThread numbers a thread: rows of up to 256 kPerThread columns.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "kernels/cuda/sums.cuh"
#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

constexpr unsigned kRowThreads = 256;
// Of layernorm_backward: blocks, at most four for each of an H100's multiprocessors, and rows of a block, at
// least so many that its sums are little beside them.
constexpr Size kRowBlocks = 512, kLeastRows = 4;
constexpr Size kGreatestRow = 32 * kRowThreads;
constexpr float kNormEpsilon = 1e-5F;

template <unsigned kPerThread, class Number>
__global__ void __launch_bounds__(kRowThreads)
    layernorm_forward_kernel(Number* y, float* mean_of, float* rstd_of, const float* x, const float* weight,
                             const float* bias, unsigned C) {
    __shared__ float shares[kWarp];
    uninitialised(shares);
    const Size row = blockIdx.x;
    float value[kPerThread];
    float sum = 0.0F;
#pragma unroll
    for (unsigned k = 0; k < kPerThread; ++k) {
        const unsigned column = k * kRowThreads + threadIdx.x;
        value[k] = column < C ? x[row * C + column] : 0.0F;
        sum += value[k];
    }
    const float mean = block_sum(sum, shares) / static_cast<float>(C);
    float squares = 0.0F;
#pragma unroll
    for (unsigned k = 0; k < kPerThread; ++k) {
        const unsigned column = k * kRowThreads + threadIdx.x;
        value[k] = column < C ? value[k] - mean : 0.0F;
        squares += value[k] * value[k];
    }
    const float rstd = 1.0F / sqrtf(block_sum(squares, shares) / static_cast<float>(C) + kNormEpsilon);
#pragma unroll
    for (unsigned k = 0; k < kPerThread; ++k) {
        const unsigned column = k * kRowThreads + threadIdx.x;
        if (column < C) y[row * C + column] = narrow<Number>(value[k] * rstd * weight[column] + bias[column]);
    }
    if (threadIdx.x == 0) {
        mean_of[row] = mean;
        rstd_of[row] = rstd;
    }
}

// Rows that one block of layernorm_backward takes, and how many do: by the sizes alone, so that its sums do
// not depend on the GPU.
inline Size rowsOfBlock(Size rows) {
    const Size each = divideUp(rows, kRowBlocks);
    return each < kLeastRows ? kLeastRows : each;
}
inline Size rowBlocks(Size rows) {
    return rows == 0 ? 0 : divideUp(rows, rowsOfBlock(rows));
}

// partial (blocks, 2, C): each block's sums of dy xhat and of dy over its `each` rows, in their order. dx may
// be x.
template <unsigned kPerThread>
__global__ void __launch_bounds__(kRowThreads)
    layernorm_backward_kernel(float* dx, float* partial, const float* dy, const float* x,
                              const float* mean_of, const float* rstd_of, const float* weight,
                              const float* d_residual, Size rows, Size each, unsigned C) {
    __shared__ float shares[kWarp];
    uninitialised(shares);
    float weight_sum[kPerThread] = {}, bias_sum[kPerThread] = {};
    const Size first = blockIdx.x * each;
    const Size end = first + each < rows ? first + each : rows;
    for (Size row = first; row < end; ++row) {
        const float mean = mean_of[row], rstd = rstd_of[row];
        float d_normalised[kPerThread], normalised[kPerThread];
        float sum = 0.0F, dot = 0.0F;
#pragma unroll
        for (unsigned k = 0; k < kPerThread; ++k) {
            const unsigned column = k * kRowThreads + threadIdx.x;
            const bool here = column < C;
            const float d = here ? dy[row * C + column] : 0.0F;
            normalised[k] = here ? (x[row * C + column] - mean) * rstd : 0.0F;
            d_normalised[k] = here ? d * weight[column] : 0.0F;
            weight_sum[k] += d * normalised[k];
            bias_sum[k] += d;
            sum += d_normalised[k];
            dot += d_normalised[k] * normalised[k];
        }
        sum = block_sum(sum, shares) / static_cast<float>(C);
        dot = block_sum(dot, shares) / static_cast<float>(C);
#pragma unroll
        for (unsigned k = 0; k < kPerThread; ++k) {
            const unsigned column = k * kRowThreads + threadIdx.x;
            if (column >= C) continue;
            const float through = (d_normalised[k] - sum - normalised[k] * dot) * rstd;
            dx[row * C + column] = through + (d_residual ? d_residual[row * C + column] : 0.0F);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < kPerThread; ++k) {
        const unsigned column = k * kRowThreads + threadIdx.x;
        if (column >= C) continue;
        partial[static_cast<Size>(blockIdx.x) * 2 * C + column] = weight_sum[k];
        partial[static_cast<Size>(blockIdx.x) * 2 * C + C + column] = bias_sum[k];
    }
}

// The two halves of partial (blocks, 2, C).
static __global__ void add_norm_shares_kernel(float* weight_sum, float* bias_sum, const float* partial,
                                              Size blocks, Size C) {
    add_shares(partial, blocks, 2 * C, [=](Size column, float sum) {
        (column < C ? weight_sum[column] : bias_sum[column - C]) = sum;
    });
}

inline Size layernormBackwardBytes(Size rows, Size C) {
    return rowBlocks(rows) * 2 * C * sizeof(float);
}

// Calls `with` with the least of 1, 2, 4 ... 32 numbers a thread that holds a row, as a constant.
template <class With>
void withRowLength(Size C, With with) {
    const Size needed = divideUp(C, kRowThreads);
    if (needed <= 1) return with(std::integral_constant<unsigned, 1>());
    if (needed <= 2) return with(std::integral_constant<unsigned, 2>());
    if (needed <= 4) return with(std::integral_constant<unsigned, 4>());
    if (needed <= 8) return with(std::integral_constant<unsigned, 8>());
    if (needed <= 16) return with(std::integral_constant<unsigned, 16>());
    if (needed <= 32) return with(std::integral_constant<unsigned, 32>());
    throw Refusal("LayerNorm on a GPU takes rows of up to {0} numbers, not {1}",
                  {std::to_string(kGreatestRow), std::to_string(C)});
}

template <class Launch, class Number>
void layernorm_forward(const Launch& launch, Number* y, float* mean, float* rstd, const float* x,
                       const float* weight, const float* bias, Size rows, Size C) {
    withRowLength(C, [&](auto per_thread) {
        launch({static_cast<unsigned>(rows), 1}, kRowThreads, &layernorm_forward_kernel<per_thread(), Number>,
               y, mean, rstd, x, weight, bias, C);
    });
}

template <class Launch>
void layernorm_backward(const Launch& launch, float* dx, float* weight_sum, float* bias_sum, const float* dy,
                        const float* x, const float* mean, const float* rstd, const float* weight,
                        const float* d_residual, Size rows, Size C, void* workspace) {
    float* const partial = static_cast<float*>(workspace);
    const Size blocks = rowBlocks(rows);
    withRowLength(C, [&](auto per_thread) {
        if (blocks > 0)
            launch({static_cast<unsigned>(blocks), 1}, kRowThreads, &layernorm_backward_kernel<per_thread()>,
                   dx, partial, dy, x, mean, rstd, weight, d_residual, rows, rowsOfBlock(rows), C);
    });
    launchShares(launch, 2 * C, &add_norm_shares_kernel, weight_sum, bias_sum, partial, blocks, C);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeLayernormForward& op) {
    withNumber(op.y, [&](auto number) {
        layernorm_forward(launch, numbers<decltype(number)>(op.y), op.mean, op.rstd, op.x, op.weight, op.bias,
                          op.rows, op.C);
    });
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeLayernormBackward& op) {
    layernorm_backward(launch, op.dx, op.weight_sum, op.bias_sum, op.dy, op.x, op.mean, op.rstd, op.weight,
                       op.d_residual, op.rows, op.C, scratch.reserve(layernormBackwardBytes(op.rows, op.C)));
}

}  // namespace bscope::cuda
