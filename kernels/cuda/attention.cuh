// What both precisions of causal attention share. Flash style: the scores of a tile exist in registers only;
// for the backward the log of each row's sum is kept. Dao et al., "FlashAttention" (arXiv:2205.14135).
// Forward:  s = q k^T / sqrt(d), p = softmax(s), y = p v; log_sum = log(sum exp s).
// Backward: p = exp(s - log_sum), dp = dy v^T, ds = p (dp - delta) / sqrt(d), delta = rowsum(dy y),
//           dq = ds k, dk = ds^T q, dv = p^T dy. A kernel for dq walks the keys, one for dk and dv walks the
//           queries: two passes, but each number is summed by one thread in one order.
#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

#include "kernels/cuda/rows.cuh"
#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

struct AttentionShape {
    Size T, C, heads;
};

// A grid is heads of all samples times blocks of rows: blocks begin in that order, so that those of the same
// rows run side by side. Where the head of blockIdx.x begins in (B, T, 3C), in (B, T, C) and in (B, heads,
// T).
struct HeadPlace {
    Size qkv, y, row;
};
__device__ inline HeadPlace headPlace(const AttentionShape& shape, Size head_size) {
    const Size sample = blockIdx.x / shape.heads, head = blockIdx.x % shape.heads;
    return {sample * shape.T * 3 * shape.C + head * head_size, sample * shape.T * shape.C + head * head_size,
            static_cast<Size>(blockIdx.x) * shape.T};
}

constexpr unsigned kDeltaThreads = 256;

// delta (B, heads, T) = rowsum(dy y) over a head; a warp a row.
template <class Number>
__global__ void attention_delta_kernel(float* delta, const Number* dy, const Number* y, Size rows,
                                       AttentionShape shape) {
    const Size index = static_cast<Size>(blockIdx.x) * (kDeltaThreads / kWarp) + threadIdx.x / kWarp;
    if (index >= rows) return;  // a whole warp
    const Size d = shape.C / shape.heads, t = index % shape.T, head = index / shape.T % shape.heads,
               sample = index / shape.T / shape.heads;
    const Size at = (sample * shape.T + t) * shape.C + head * d;
    float sum = 0.0F;
    for (Size i = threadIdx.x % kWarp; i < d; i += kWarp) sum += widen(dy[at + i]) * widen(y[at + i]);
    sum = warp_sum(sum);
    if (threadIdx.x % kWarp == 0) delta[index] = sum;
}

// The q part of d_qkv (rows, 3C) from dq (rows, C): only after the last read of q.
template <class Number>
__global__ void attention_place_dq_kernel(Number* d_qkv, const Number* dq, Size C) {
    const Size row = rowIndex(), column = columnIndex();
    if (column < C) d_qkv[row * 3 * C + column] = dq[row * C + column];
}

// Working space of the backward: delta, then dq, at most in fp32.
inline Size attentionBackwardBytes(Size B, Size T, Size C, Size heads) {
    return (B * heads * T + B * T * C) * sizeof(float);
}

// Calls `with` with the head size as a constant.
template <class With>
void withHeadSize(Size C, Size heads, With with) {
    switch (C / heads) {
        case 32:
            return with(std::integral_constant<unsigned, 32>());
        case 64:
            return with(std::integral_constant<unsigned, 64>());
        case 128:
            return with(std::integral_constant<unsigned, 128>());
        default:
            throw Refusal("attention on a GPU has heads of 32, 64 or 128 numbers, not {0}",
                          {std::to_string(C / heads)});
    }
}

// How a kernel divides the rows of a head.
struct AttentionBlocks {
    unsigned rows, threads;
};

inline Grid attentionGrid(Size B, const AttentionShape& shape, AttentionBlocks blocks) {
    const Size most = Size{65535} * blocks.rows;  // what a grid has in its second dimension
    if (shape.T > most)
        throw Refusal("attention on a GPU takes samples of up to {0} tokens in this precision, not {1}",
                      {std::to_string(most), std::to_string(shape.T)});
    return {static_cast<unsigned>(B * shape.heads), static_cast<unsigned>(divideUp(shape.T, blocks.rows))};
}

inline float attentionScale(unsigned d) {
    return 1.0F / sqrtf(static_cast<float>(d));
}

// `forward(d)`, and below `dq(d)` and `dkv(d)`: the kernel of this head size.
template <class Launch, class Forward, class Number>
void attentionForward(const Launch& launch, AttentionBlocks blocks, Forward forward, Number* y,
                      float* log_sums, const Number* qkv, Size B, const AttentionShape& shape) {
    withHeadSize(shape.C, shape.heads, [&](auto d) {
        launch(attentionGrid(B, shape, blocks), blocks.threads, forward(d), y, log_sums, qkv, shape,
               attentionScale(d()));
    });
}

template <class Launch, class Dq, class Dkv, class Number>
void attentionBackward(const Launch& launch, AttentionBlocks blocks, Dq dq_kernel, Dkv dkv_kernel,
                       Number* d_qkv, const Number* dy, const Number* y, const float* log_sums,
                       const Number* qkv, Size B, const AttentionShape& shape, void* workspace) {
    withHeadSize(shape.C, shape.heads, [&](auto d) {
        const Size rows = B * shape.heads * shape.T;
        float* const delta = static_cast<float*>(workspace);
        Number* const dq = reinterpret_cast<Number*>(delta + rows);
        const float scale = attentionScale(d());
        const Grid grid = attentionGrid(B, shape, blocks);
        launch({static_cast<unsigned>(divideUp(rows, kDeltaThreads / kWarp)), 1}, kDeltaThreads,
               &attention_delta_kernel<Number>, delta, dy, y, rows, shape);
        launch(grid, blocks.threads, dq_kernel(d), dq, dy, log_sums, delta, qkv, shape, scale);
        launch(grid, blocks.threads, dkv_kernel(d), d_qkv, dy, log_sums, delta, qkv, shape, scale);
        launchRows(launch, B * shape.T, shape.C, &attention_place_dq_kernel<Number>, d_qkv, dq, shape.C);
    });
}

}  // namespace bscope::cuda
