// Sums over rows and over everything, in two steps and without atomics: every block leaves its share in a
// workspace, a second kernel adds the shares in their order. How the work is cut depends on the sizes only,
// so the same call gives the same bits. A function here is a launch.
#pragma once

#include "kernels/cuda/device_language.cuh"
#include "kernels/cuda/operands.cuh"
#include "kernels/operations.h"

namespace bscope::cuda {

constexpr unsigned kSumThreads = 256;
constexpr Size kSumBlocks = 512;   // of sum_of_squares, at most
constexpr Size kColumnRows = 128;  // rows a block of bias_backward adds up

// partial (blocks): block b adds the numbers b * 256 + t, + 512 * 256, ...
static __global__ void sum_of_squares_kernel(double* partial, const float* x, Size count) {
    __shared__ double shares[kWarp];
    uninitialised(shares);
    double sum = 0.0;
    for (Size i = static_cast<Size>(blockIdx.x) * kSumThreads + threadIdx.x; i < count;
         i += kSumBlocks * kSumThreads)
        sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    sum = block_sum(sum, shares);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// *result = scale * sum of partial (count); one block.
static __global__ void sum_of_shares_kernel(double* result, const double* partial, Size count, double scale) {
    __shared__ double shares[kWarp];
    uninitialised(shares);
    double sum = 0.0;
    for (Size i = threadIdx.x; i < count; i += kSumThreads) sum += partial[i];
    sum = block_sum(sum, shares);
    if (threadIdx.x == 0) *result = sum * scale;
}

// partial (chunks, columns): chunk blockIdx.y adds its kColumnRows rows of dy, a thread a column.
template <class Number>
__global__ void column_shares_kernel(float* partial, const Number* dy, Size rows, Size columns) {
    const Size column = static_cast<Size>(blockIdx.x) * kSumThreads + threadIdx.x;
    if (column >= columns) return;
    const Size first = static_cast<Size>(blockIdx.y) * kColumnRows;
    const Size end = first + kColumnRows < rows ? first + kColumnRows : rows;
    float sum = 0.0F;
    for (Size row = first; row < end; ++row) sum += widen(dy[row * columns + column]);
    partial[static_cast<Size>(blockIdx.y) * columns + column] = sum;
}

constexpr unsigned kShareColumns = 32, kShareParts = 16;  // of a block of add_shares

// The sums of a block's columns over the chunks of partial (chunks, columns): thread (part, column) adds
// every kShareParts-th chunk in order, the first part's threads add up the parts and call use(column, sum).
template <class Use>
__device__ inline void add_shares(const float* partial, Size chunks, Size columns, Use use) {
    __shared__ float sums[kShareParts][kShareColumns];
    uninitialised(sums);
    const unsigned lane = threadIdx.x % kShareColumns, part = threadIdx.x / kShareColumns;
    const Size column = static_cast<Size>(blockIdx.x) * kShareColumns + lane;
    float sum = 0.0F;
    if (column < columns) {
#pragma unroll 8
        for (Size chunk = part; chunk < chunks; chunk += kShareParts)
            sum += partial[chunk * columns + column];
    }
    sums[part][lane] = sum;
    __syncthreads();
    if (part > 0 || column >= columns) return;
    for (unsigned other = 1; other < kShareParts; ++other) sum += sums[other][lane];
    use(column, sum);
}

// to (columns) = [to +] the chunks of partial (chunks, columns)
static __global__ void add_chunks_kernel(float* to, const float* partial, Size chunks, Size columns,
                                         bool accumulate) {
    add_shares(partial, chunks, columns,
               [=](Size column, float sum) { to[column] = accumulate ? to[column] + sum : sum; });
}

template <class Launch, class Kernel, class... Arguments>
void launchShares(const Launch& launch, Size columns, Kernel kernel, Arguments... arguments) {
    launch({static_cast<unsigned>(divideUp(columns, kShareColumns)), 1}, kShareColumns * kShareParts, kernel,
           arguments...);
}

constexpr Size sumOfSquaresBytes() {
    return kSumBlocks * sizeof(double);
}

template <class Launch>
void sum_of_squares(const Launch& launch, double* result, const float* x, Size count, void* workspace) {
    double* const partial = static_cast<double*>(workspace);
    const Size needed = divideUp(count, kSumThreads), blocks = needed < kSumBlocks ? needed : kSumBlocks;
    if (blocks > 0)
        launch({static_cast<unsigned>(blocks), 1}, kSumThreads, &sum_of_squares_kernel, partial, x, count);
    launch({1, 1}, kSumThreads, &sum_of_shares_kernel, result, partial, blocks, 1.0);
}

inline Size biasBackwardBytes(Size rows, Size columns) {
    return divideUp(rows, kColumnRows) * columns * sizeof(float);
}

template <class Launch, class Number>
void bias_backward(const Launch& launch, float* d_bias, const Number* dy, Size rows, Size columns,
                   void* workspace) {
    float* const partial = static_cast<float*>(workspace);
    const Size chunks = divideUp(rows, kColumnRows);
    launch({static_cast<unsigned>(divideUp(columns, kSumThreads)), static_cast<unsigned>(chunks)},
           kSumThreads, &column_shares_kernel<Number>, partial, dy, rows, columns);
    launchShares(launch, columns, &add_chunks_kernel, d_bias, partial, chunks, columns, true);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeSumOfSquares& op) {
    sum_of_squares(launch, op.result, op.x, op.count, scratch.reserve(sumOfSquaresBytes()));
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeBiasBackward& op) {
    void* const workspace = scratch.reserve(biasBackwardBytes(op.rows, op.columns));
    withNumber(op.dy, [&](auto number) {
        bias_backward(launch, op.d_bias, numbers<decltype(number)>(op.dy), op.rows, op.columns, workspace);
    });
}

}  // namespace bscope::cuda
