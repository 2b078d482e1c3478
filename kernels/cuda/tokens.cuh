// What deals with tokens: the embedding, and softmax with cross-entropy. A function here is a launch.
#pragma once

#include "kernels/cuda/rows.cuh"
#include "kernels/cuda/sums.cuh"

namespace bscope::cuda {

constexpr unsigned kTokenThreads = kElementThreads;

static __global__ void embedding_forward_kernel(float* y, const std::int32_t* tokens,
                                                const float* token_weight, const float* position_weight,
                                                Size T, Size C) {
    const Size row = blockIdx.x;
    const float* const token = token_weight + static_cast<Size>(tokens[row]) * C;
    const float* const position = position_weight + row % T * C;
    for (Size column = threadIdx.x; column < C; column += kTokenThreads)
        y[row * C + column] = token[column] + position[column];
}

// The blocks of the first row that has a token add all rows that have it, in order, a number a thread; the
// others do nothing. `same` lists those of kTokenThreads rows, of which each warp found some; they are read
// kAtOnce at a time, since each read alone takes longer than all else.
static __global__ void embedding_token_kernel(float* d_token, const float* dy, const std::int32_t* tokens,
                                              Size rows, Size C) {
    constexpr unsigned kWarps = kTokenThreads / kWarp, kAtOnce = 16;
    __shared__ unsigned same[kTokenThreads], found[kWarps];
    uninitialised(same, found);
    const Size row = rowIndex(), column = columnIndex();
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const std::int32_t token = tokens[row];
    float* const gradient = d_token + static_cast<Size>(token) * C + column;
    float sum = column < C ? *gradient : 0.0F;
    for (Size first = 0; first < rows; first += kTokenThreads) {
        const Size mine = first + threadIdx.x;
        const bool is_same = mine < rows && tokens[mine] == token;
        const unsigned mask = __ballot_sync(kAllLanes, is_same);
        if (lane == 0) found[warp] = static_cast<unsigned>(__popc(mask));
        __syncthreads();
        unsigned before = 0, all = 0;
        for (unsigned other = 0; other < kWarps; ++other) {
            if (other == warp) before = all;
            all += found[other];
        }
        if (is_same) same[before + static_cast<unsigned>(__popc(mask & ((1U << lane) - 1)))] = threadIdx.x;
        __syncthreads();
        if (all > 0 && first + same[0] < row) return;  // every thread sees the same
        for (unsigned at = 0; at < all; at += kAtOnce) {
            float read[kAtOnce];
#pragma unroll
            for (unsigned i = 0; i < kAtOnce; ++i)
                read[i] = at + i < all && column < C ? dy[(first + same[at + i]) * C + column] : 0.0F;
#pragma unroll
            for (unsigned i = 0; i < kAtOnce; ++i) sum += read[i];
        }
        __syncthreads();
    }
    if (column < C) *gradient = sum;
}

static __global__ void embedding_position_kernel(float* d_position, const float* dy, Size B, Size T, Size C) {
    const Size i = static_cast<Size>(blockIdx.x) * kTokenThreads + threadIdx.x;
    if (i >= T * C) return;
    float sum = d_position[i];
    for (Size b = 0; b < B; ++b) sum += dy[b * T * C + i];
    d_position[i] = sum;
}

// One pass finds the row's greatest number and the sum of exponentials together, the second turns the logits
// into their gradient. loss (rows), in double.
static __global__ void softmax_cross_entropy_kernel(double* loss, float* logits, const std::int32_t* targets,
                                                    Size V, float gradient_scale) {
    __shared__ float shares[kWarp];
    uninitialised(shares);
    __shared__ float greatest_of[kWarp];
    uninitialised(greatest_of);
    float* const row = logits + static_cast<Size>(blockIdx.x) * V;
    float greatest = -3.4e38F, sum = 0.0F;
    for (Size column = threadIdx.x; column < V; column += kTokenThreads) {
        const float value = row[column];
        if (value > greatest) {
            sum *= expf(greatest - value);
            greatest = value;
        }
        sum += expf(value - greatest);
    }
    const float of_warp = warp_max(greatest);
    if (threadIdx.x % kWarp == 0) greatest_of[threadIdx.x / kWarp] = of_warp;
    __syncthreads();
    const unsigned lane = threadIdx.x % kWarp;
    const float of_all = warp_max(lane < kTokenThreads / kWarp ? greatest_of[lane] : -3.4e38F);
    const float total = block_sum(sum * expf(greatest - of_all), shares);
    const Size target = static_cast<Size>(targets[blockIdx.x]);
    if (threadIdx.x == 0)
        loss[blockIdx.x] =
            log(static_cast<double>(total)) + static_cast<double>(of_all) - static_cast<double>(row[target]);
    __syncthreads();  // the target's logit is read before it is overwritten
    const float scale = gradient_scale / total;
    for (Size column = threadIdx.x; column < V; column += kTokenThreads)
        row[column] = expf(row[column] - of_all) * scale - (column == target ? gradient_scale : 0.0F);
}

template <class Launch>
void embedding_forward(const Launch& launch, float* y, const std::int32_t* tokens, const float* token_weight,
                       const float* position_weight, Size B, Size T, Size C) {
    launch({static_cast<unsigned>(B * T), 1}, kTokenThreads, &embedding_forward_kernel, y, tokens,
           token_weight, position_weight, T, C);
}

template <class Launch>
void embedding_backward(const Launch& launch, float* d_token, float* d_position, const float* dy,
                        const std::int32_t* tokens, Size B, Size T, Size C) {
    launchRows(launch, B * T, C, &embedding_token_kernel, d_token, dy, tokens, B * T, C);
    launch({static_cast<unsigned>(divideUp(T * C, kTokenThreads)), 1}, kTokenThreads,
           &embedding_position_kernel, d_position, dy, B, T, C);
}

inline Size crossEntropyBytes(Size rows) {
    return rows * sizeof(double);
}

template <class Launch>
void softmax_cross_entropy(const Launch& launch, double* mean_loss, float* logits,
                           const std::int32_t* targets, Size rows, Size V, float gradient_scale,
                           void* workspace) {
    double* const losses = static_cast<double*>(workspace);
    launch({static_cast<unsigned>(rows), 1}, kTokenThreads, &softmax_cross_entropy_kernel, losses, logits,
           targets, V, gradient_scale);
    launch({1, 1}, kSumThreads, &sum_of_shares_kernel, mean_loss, losses, rows,
           1.0 / static_cast<double>(rows));
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeEmbeddingForward& op) {
    embedding_forward(launch, op.y, op.tokens, op.token_weight, op.position_weight, op.B, op.T, op.C);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeEmbeddingBackward& op) {
    embedding_backward(launch, op.token_gradient, op.position_gradient, op.dy, op.tokens, op.B, op.T, op.C);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeSoftmaxCrossEntropy& op) {
    softmax_cross_entropy(launch, op.mean_loss, op.logits, op.targets, op.rows, op.V,
                          static_cast<float>(op.gradient_scale), scratch.reserve(crossEntropyBytes(op.rows)));
}

}  // namespace bscope::cuda
