// What deals with tokens: the embedding, and softmax with cross-entropy. A function here is a launch.
#pragma once

#include "kernels/cuda/rows.cuh"
#include "kernels/cuda/sums.cuh"

namespace bscope::cuda {

constexpr unsigned kTokenThreads = kElementThreads;

static __global__ void embedding_forward_kernel(float* y, const std::int32_t* tokens,
                                                const float* token_weight, const float* position_weight,
                                                Size T, Size C, Size first, Size V) {
    const Size row = blockIdx.x;
    const Size token = static_cast<Size>(tokens[row]) - first;  // huge below it
    const float* const of_token = token < V ? token_weight + token * C : nullptr;
    const float* const position = position_weight ? position_weight + row % T * C : nullptr;
    for (Size column = threadIdx.x; column < C; column += kTokenThreads)
        y[row * C + column] =
            (of_token ? of_token[column] : 0.0F) + (position ? position[column] : 0.0F);
}

// The blocks of the first row that has a token add all rows that have it, in order, a number a thread; the
// others do nothing. `same` lists those of kTokenThreads rows, of which each warp found some; they are read
// kAtOnce at a time, since each read alone takes longer than all else.
static __global__ void embedding_token_kernel(float* d_token, const float* dy, const std::int32_t* tokens,
                                              Size rows, Size C, Size first_token, Size V) {
    constexpr unsigned kWarps = kTokenThreads / kWarp, kAtOnce = 16;
    __shared__ unsigned same[kTokenThreads], found[kWarps];
    uninitialised(same, found);
    const Size row = rowIndex(), column = columnIndex();
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const std::int32_t token = tokens[row];
    const Size own = static_cast<Size>(token) - first_token;  // huge below it
    if (own >= V) return;                                     // every thread sees the same
    float* const gradient = d_token + own * C + column;
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

// The greatest of what the threads of a block have.
static __device__ inline float block_max(float value, float* of_warps) {
    value = warp_max(value);
    if (threadIdx.x % kWarp == 0) of_warps[threadIdx.x / kWarp] = value;
    __syncthreads();
    const unsigned lane = threadIdx.x % kWarp;
    return warp_max(lane < kTokenThreads / kWarp ? of_warps[lane] : -3.4e38F);
}

static __global__ void row_maximum_kernel(float* maxima, const float* x, Size columns) {
    __shared__ float of_warps[kWarp];
    uninitialised(of_warps);
    const float* const row = x + static_cast<Size>(blockIdx.x) * columns;
    float greatest = -3.4e38F;
    for (Size column = threadIdx.x; column < columns; column += kTokenThreads)
        greatest = row[column] > greatest ? row[column] : greatest;
    greatest = block_max(greatest, of_warps);
    if (threadIdx.x == 0) maxima[blockIdx.x] = greatest;
}

static __global__ void softmax_part_kernel(float* sums, float* target_logits, float* logits,
                                           const float* maxima, const std::int32_t* targets, Size rows,
                                           Size V, Size first, Size parts) {
    __shared__ float shares[kWarp];
    uninitialised(shares);
    const Size row = blockIdx.x;
    float* const own = logits + row * V;
    float greatest = maxima[row];
    for (Size part = 1; part < parts; ++part) {
        const float other = maxima[part * rows + row];
        greatest = other > greatest ? other : greatest;
    }
    if (threadIdx.x == 0) {
        const Size target = static_cast<Size>(targets[row]) - first;  // huge below it
        target_logits[row] = target < V ? own[target] - greatest : 0.0F;
    }
    __syncthreads();  // the target's logit is read before it is overwritten
    float sum = 0.0F;
    for (Size column = threadIdx.x; column < V; column += kTokenThreads) {
        own[column] = expf(own[column] - greatest);
        sum += own[column];
    }
    sum = block_sum(sum, shares);
    if (threadIdx.x == 0) sums[row] = sum;
}

static __global__ void cross_entropy_part_kernel(double* loss, float* logits, const float* sums,
                                                 const float* target_logits, const std::int32_t* targets,
                                                 Size V, Size first, float gradient_scale) {
    const Size row = blockIdx.x;
    float* const own = logits + row * V;
    const Size target = static_cast<Size>(targets[row]) - first;  // huge below it
    if (threadIdx.x == 0)
        loss[row] = log(static_cast<double>(sums[row])) - static_cast<double>(target_logits[row]);
    const float scale = gradient_scale / sums[row];
    for (Size column = threadIdx.x; column < V; column += kTokenThreads)
        own[column] = own[column] * scale - (column == target ? gradient_scale : 0.0F);
}

template <class Launch>
void embedding_forward(const Launch& launch, const BscopeEmbeddingForward& op) {
    launch({static_cast<unsigned>(op.B * op.T), 1}, kTokenThreads, &embedding_forward_kernel, op.y, op.tokens,
           op.token_weight, op.position_weight, Size{op.T}, Size{op.C}, Size{op.first}, Size{op.V});
}

template <class Launch>
void embedding_backward(const Launch& launch, float* d_token, float* d_position, const float* dy,
                        const std::int32_t* tokens, Size B, Size T, Size C, Size first, Size V) {
    launchRows(launch, B * T, C, &embedding_token_kernel, d_token, dy, tokens, B * T, C, first, V);
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
    embedding_forward(launch, op);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeEmbeddingBackward& op) {
    embedding_backward(launch, op.token_gradient, op.position_gradient, op.dy, op.tokens, op.B, op.T, op.C,
                       op.first, op.V);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeSoftmaxCrossEntropy& op) {
    softmax_cross_entropy(launch, op.mean_loss, op.logits, op.targets, op.rows, op.V,
                          static_cast<float>(op.gradient_scale), scratch.reserve(crossEntropyBytes(op.rows)));
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeRowMaximum& op) {
    launch({static_cast<unsigned>(op.rows), 1}, kTokenThreads, &row_maximum_kernel, op.maxima, op.x,
           Size{op.columns});
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeSoftmaxPart& op) {
    launch({static_cast<unsigned>(op.rows), 1}, kTokenThreads, &softmax_part_kernel, op.sums,
           op.target_logits, op.logits, op.maxima, op.targets, Size{op.rows}, Size{op.V}, Size{op.first},
           Size{op.parts});
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeCrossEntropyPart& op) {
    auto* const losses = static_cast<double*>(scratch.reserve(crossEntropyBytes(op.rows)));
    launch({static_cast<unsigned>(op.rows), 1}, kTokenThreads, &cross_entropy_part_kernel, losses, op.logits,
           op.sums, op.target_logits, op.targets, Size{op.V}, Size{op.first},
           static_cast<float>(op.gradient_scale));
    launch({1, 1}, kSumThreads, &sum_of_shares_kernel, op.mean_loss, losses, Size{op.rows},
           1.0 / static_cast<double>(op.rows));
}

}  // namespace bscope::cuda
