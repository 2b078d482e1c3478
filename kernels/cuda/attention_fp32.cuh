// Attention in fp32, for checks rather than for speed: a warp owns kRows rows (queries, or keys in the second
// backward kernel) and walks the other side in tiles of 32, a lane a partner for the scores and a lane a
// column for the sums.
#pragma once

#include "kernels/cuda/attention.cuh"

namespace bscope::cuda::fp32 {

constexpr unsigned kWarps = 4;
constexpr unsigned kThreads = kWarps * kWarp;
constexpr unsigned kRows = 2;              // of a warp
constexpr unsigned kOwn = kWarps * kRows;  // of a block
constexpr unsigned kTile = kWarp;

// `rows` rows of d numbers, `stride` apart in memory, into shared memory with `pitch`; zeros from row `end`
// on.
template <unsigned d>
__device__ inline void loadRows(float* to, unsigned pitch, const float* from, Size stride, Size first,
                                unsigned rows, Size end) {
    for (unsigned i = threadIdx.x; i < rows * d; i += kThreads) {
        const unsigned row = i / d, column = i % d;
        to[row * pitch + column] = first + row < end ? from[(first + row) * stride + column] : 0.0F;
    }
}

// The product of an own row, the same for all lanes, and the lane's row of the tile.
template <unsigned d>
__device__ inline float dot(const float* own, const float* tile_row) {
    float sum = 0.0F;
#pragma unroll
    for (unsigned i = 0; i < d; ++i) sum += own[i] * tile_row[i];
    return sum;
}

// sum (d / 32 a lane) += weight of lane j times row j of the tile, j in order
template <unsigned d>
__device__ inline void addRows(float (&sum)[d / kWarp], float weight, const float* tile, unsigned pitch) {
    const unsigned lane = threadIdx.x % kWarp;
    for (unsigned j = 0; j < kTile; ++j) {
        const float w = __shfl_sync(kAllLanes, weight, static_cast<int>(j));
#pragma unroll
        for (unsigned c = 0; c < d / kWarp; ++c) sum[c] += w * tile[j * pitch + c * kWarp + lane];
    }
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_forward_kernel(float* y, float* log_sums, const float* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kPitch = d + 1;
    __shared__ float queries[kOwn * d], keys[kTile * kPitch], values[kTile * kPitch];
    uninitialised(queries, keys, values);
    const HeadPlace place = headPlace(shape, d);
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const Size stride = 3 * shape.C, T = shape.T, block_first = static_cast<Size>(blockIdx.y) * kOwn;
    loadRows<d>(queries, d, qkv + place.qkv, stride, block_first, kOwn, T);
    float greatest[kRows], sum[kRows] = {}, out[kRows][d / kWarp] = {};
    for (float& g : greatest) g = -INFINITY;

    const Size end = block_first + kOwn < T ? block_first + kOwn : T;
    for (Size first = 0; first < end; first += kTile) {
        __syncthreads();
        loadRows<d>(keys, kPitch, qkv + place.qkv + shape.C, stride, first, kTile, T);
        loadRows<d>(values, kPitch, qkv + place.qkv + 2 * shape.C, stride, first, kTile, T);
        __syncthreads();
#pragma unroll
        for (unsigned r = 0; r < kRows; ++r) {
            const Size query = block_first + warp * kRows + r;
            const bool seen = first + lane <= query && first + lane < T;
            const float score =
                seen ? scale * dot<d>(queries + (warp * kRows + r) * d, keys + lane * kPitch) : -INFINITY;
            const float new_greatest = fmaxf(greatest[r], warp_max(score));
            const float p = expf(score - new_greatest), fade = expf(greatest[r] - new_greatest);
            greatest[r] = new_greatest;
            sum[r] = sum[r] * fade + warp_sum(p);
            for (float& o : out[r]) o *= fade;
            addRows<d>(out[r], p, values, kPitch);
        }
    }
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
        const Size query = block_first + warp * kRows + r;
        if (query >= T) continue;
        for (unsigned c = 0; c < d / kWarp; ++c)
            y[place.y + query * shape.C + c * kWarp + lane] = out[r][c] / sum[r];
        if (lane == 0) log_sums[place.row + query] = greatest[r] + logf(sum[r]);
    }
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dq_kernel(float* dq, const float* dy, const float* log_sums, const float* delta,
                        const float* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kPitch = d + 1;
    __shared__ float queries[kOwn * d], d_outs[kOwn * d], keys[kTile * kPitch], values[kTile * kPitch];
    uninitialised(queries, d_outs, keys, values);
    const HeadPlace place = headPlace(shape, d);
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const Size stride = 3 * shape.C, T = shape.T, block_first = static_cast<Size>(blockIdx.y) * kOwn;
    loadRows<d>(queries, d, qkv + place.qkv, stride, block_first, kOwn, T);
    loadRows<d>(d_outs, d, dy + place.y, shape.C, block_first, kOwn, T);
    float sum[kRows][d / kWarp] = {};

    const Size end = block_first + kOwn < T ? block_first + kOwn : T;
    for (Size first = 0; first < end; first += kTile) {
        __syncthreads();
        loadRows<d>(keys, kPitch, qkv + place.qkv + shape.C, stride, first, kTile, T);
        loadRows<d>(values, kPitch, qkv + place.qkv + 2 * shape.C, stride, first, kTile, T);
        __syncthreads();
#pragma unroll
        for (unsigned r = 0; r < kRows; ++r) {
            const unsigned own = (warp * kRows + r) * d;
            const Size query = block_first + warp * kRows + r;
            float d_score = 0.0F;
            if (first + lane <= query && query < T) {
                const float p =
                    expf(scale * dot<d>(queries + own, keys + lane * kPitch) - log_sums[place.row + query]);
                const float d_p = dot<d>(d_outs + own, values + lane * kPitch);
                d_score = p * (d_p - delta[place.row + query]) * scale;
            }
            addRows<d>(sum[r], d_score, keys, kPitch);
        }
    }
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
        const Size query = block_first + warp * kRows + r;
        if (query >= T) continue;
        for (unsigned c = 0; c < d / kWarp; ++c) dq[place.y + query * shape.C + c * kWarp + lane] = sum[r][c];
    }
}

// A block reads the keys and values of its own rows only, so d_qkv may be qkv.
template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dkv_kernel(float* d_qkv, const float* dy, const float* log_sums, const float* delta,
                         const float* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kPitch = d + 1;
    __shared__ float keys[kOwn * d], values[kOwn * d], queries[kTile * kPitch], d_outs[kTile * kPitch];
    uninitialised(keys, values, queries, d_outs);
    const HeadPlace place = headPlace(shape, d);
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const Size stride = 3 * shape.C, T = shape.T, block_first = static_cast<Size>(blockIdx.y) * kOwn;
    loadRows<d>(keys, d, qkv + place.qkv + shape.C, stride, block_first, kOwn, T);
    loadRows<d>(values, d, qkv + place.qkv + 2 * shape.C, stride, block_first, kOwn, T);
    float d_key[kRows][d / kWarp] = {}, d_value[kRows][d / kWarp] = {};

    for (Size first = block_first / kTile * kTile; first < T; first += kTile) {
        __syncthreads();
        loadRows<d>(queries, kPitch, qkv + place.qkv, stride, first, kTile, T);
        loadRows<d>(d_outs, kPitch, dy + place.y, shape.C, first, kTile, T);
        __syncthreads();
#pragma unroll
        for (unsigned r = 0; r < kRows; ++r) {
            const unsigned own = (warp * kRows + r) * d;
            const Size key = block_first + warp * kRows + r, query = first + lane;
            float p = 0.0F, d_score = 0.0F;
            if (key <= query && query < T) {
                p = expf(scale * dot<d>(keys + own, queries + lane * kPitch) - log_sums[place.row + query]);
                const float d_p = dot<d>(values + own, d_outs + lane * kPitch);
                d_score = p * (d_p - delta[place.row + query]) * scale;
            }
            addRows<d>(d_value[r], p, d_outs, kPitch);
            addRows<d>(d_key[r], d_score, queries, kPitch);
        }
    }
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
        const Size key = block_first + warp * kRows + r;
        if (key >= T) continue;
        float* const to = d_qkv + place.qkv + key * stride + lane;
        for (unsigned c = 0; c < d / kWarp; ++c) {
            to[shape.C + c * kWarp] = d_key[r][c];
            to[2 * shape.C + c * kWarp] = d_value[r][c];
        }
    }
}

template <class Launch>
void attention_forward(const Launch& launch, float* y, float* log_sums, const float* qkv, Size B,
                       const AttentionShape& shape) {
    attentionForward(
        launch, {kOwn, kThreads}, [](auto d) { return &attention_forward_kernel<d()>; }, y, log_sums, qkv, B,
        shape);
}

template <class Launch>
void attention_backward(const Launch& launch, float* d_qkv, const float* dy, const float* y,
                        const float* log_sums, const float* qkv, Size B, const AttentionShape& shape,
                        void* workspace) {
    attentionBackward(
        launch, {kOwn, kThreads}, [](auto d) { return &attention_dq_kernel<d()>; },
        [](auto d) { return &attention_dkv_kernel<d()>; }, d_qkv, dy, y, log_sums, qkv, B, shape, workspace);
}

}  // namespace bscope::cuda::fp32
