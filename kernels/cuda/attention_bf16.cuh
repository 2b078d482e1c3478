// Attention on the tensor cores: operands are bf16, scores and sums are fp32. A warp owns 16 rows (queries,
// or keys in the second backward kernel), a block 64; the other side comes in tiles through shared memory,
// the next one while this one is worked on.
#pragma once

#include "kernels/cuda/attention_tiles.cuh"

namespace bscope::cuda::bf16 {

// The blocks with the most tiles begin first.
__device__ inline unsigned lastBlocksFirst() {
    return (gridDim.x - 1 - blockIdx.x) * kOwn;
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_forward_kernel(Bf16* y, float* log_sums, const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = d == 128 ? 32 : 64;  // what shared memory holds
    __shared__ Tiles<d, kTile> keys, values;
    const HeadPlace place = headPlace(shape, d);
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
    const Size stride = 3 * shape.C;
    const unsigned T = static_cast<unsigned>(shape.T), block_first = lastBlocksFirst();
    const unsigned own = block_first + threadIdx.x / kWarp * 16;
    const auto load = [&](unsigned first) {
        keys.begin(first / kTile % 2, qkv + place.qkv + shape.C, stride, first, T);
        values.begin(first / kTile % 2, qkv + place.qkv + 2 * shape.C, stride, first, T);
    };
    load(0);
    Left<d> query;
    loadLeft(query, qkv + place.qkv, stride, own, T);
    float out[d / 8][4] = {}, greatest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    const float scale2 = scale * kLog2e;  // exponentials to the base 2

    const unsigned end = block_first + kOwn < T ? block_first + kOwn : T;
    for (unsigned first = 0; first < end; first += kTile) {
        wait_for_copies();
        __syncthreads();  // this tile is there, and nobody works on the one before it any more
        if (first + kTile < end) load(first + kTile);
        if (first > own + 15) continue;  // hidden from the warp's rows
        float p[kTile / 8][4];
        scores<d, kTile>(p, query, keys.tile[first / kTile % 2]);
        float new_greatest[2] = {greatest[0], greatest[1]};
#pragma unroll
        for (unsigned n = 0; n < kTile / 8; ++n)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) {
                const bool seen = first + n * 8 + 2 * t + i % 2 <= own + g + 8 * (i / 2);
                p[n][i] = seen ? p[n][i] * scale2 : -INFINITY;
                new_greatest[i / 2] = fmaxf(new_greatest[i / 2], p[n][i]);
            }
        float fade[2], tile_sum[2] = {};
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) {
            new_greatest[half] = rowMax(new_greatest[half]);
            fade[half] = exp2f(greatest[half] - new_greatest[half]);
            greatest[half] = new_greatest[half];
        }
#pragma unroll
        for (unsigned n = 0; n < kTile / 8; ++n)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) {
                p[n][i] = exp2f(p[n][i] - greatest[i / 2]);
                tile_sum[i / 2] += p[n][i];
            }
#pragma unroll
        for (unsigned half = 0; half < 2; ++half) sum[half] = sum[half] * fade[half] + rowSum(tile_sum[half]);
#pragma unroll
        for (unsigned n = 0; n < d / 8; ++n)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) out[n][i] *= fade[i / 2];
        addProduct<d, kTile>(out, p, values.tile[first / kTile % 2]);
    }
    storeRows<d>(y + place.y, shape.C, own, T, out, {1.0F / sum[0], 1.0F / sum[1]});
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = own + g + 8 * half;
        if (t == 0 && row < T) log_sums[place.row + row] = greatest[half] / kLog2e + logf(sum[half]);
    }
}

// p and ds of a tile from its scores and dp, in their places. A row is a query and a column a key, or with
// `turned` the other way round; what the causal mask hides and what lies beyond T is zero.
template <unsigned columns, bool turned>
__device__ inline void scoreGradients(float (&p)[columns / 8][4], float (&d_p)[columns / 8][4],
                                      unsigned first_row, unsigned first_column, unsigned T,
                                      const float* log_sums, const float* delta, float scale) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned n = 0; n < columns / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned row = first_row + g + 8 * (i / 2), column = first_column + n * 8 + 2 * t + i % 2;
            const unsigned query = turned ? column : row, key = turned ? row : column;
            if (key <= query && query < T) {
                p[n][i] = exp2f((p[n][i] * scale - log_sums[query]) * kLog2e);
                d_p[n][i] = p[n][i] * (d_p[n][i] - delta[query]) * scale;
            } else {
                p[n][i] = d_p[n][i] = 0.0F;
            }
        }
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dq_kernel(Bf16* dq, const Bf16* dy, const float* log_sums, const float* delta, const Bf16* qkv,
                        AttentionShape shape, float scale) {
    constexpr unsigned kTile = 32;
    __shared__ Tiles<d, kTile> keys, values;
    const HeadPlace place = headPlace(shape, d);
    const Size stride = 3 * shape.C;
    const unsigned T = static_cast<unsigned>(shape.T), block_first = lastBlocksFirst();
    const unsigned own = block_first + threadIdx.x / kWarp * 16;
    const auto load = [&](unsigned first) {
        keys.begin(first / kTile % 2, qkv + place.qkv + shape.C, stride, first, T);
        values.begin(first / kTile % 2, qkv + place.qkv + 2 * shape.C, stride, first, T);
    };
    load(0);
    Left<d> query, d_out;
    loadLeft(query, qkv + place.qkv, stride, own, T);
    loadLeft(d_out, dy + place.y, shape.C, own, T);
    float sum[d / 8][4] = {};

    const unsigned end = block_first + kOwn < T ? block_first + kOwn : T;
    for (unsigned first = 0; first < end; first += kTile) {
        wait_for_copies();
        __syncthreads();
        if (first + kTile < end) load(first + kTile);
        if (first > own + 15) continue;
        const unsigned which = first / kTile % 2;
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores<d, kTile>(p, query, keys.tile[which]);
        scores<d, kTile>(d_p, d_out, values.tile[which]);
        scoreGradients<kTile, false>(p, d_p, own, first, T, log_sums + place.row, delta + place.row, scale);
        addProduct<d, kTile>(sum, d_p, keys.tile[which]);
    }
    storeRows<d>(dq + place.y, shape.C, own, T, sum, {1.0F, 1.0F});
}

// A block reads the keys and values of its own rows only, so d_qkv may be qkv.
template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dkv_kernel(Bf16* d_qkv, const Bf16* dy, const float* log_sums, const float* delta,
                         const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = d == 128 ? 16 : 32;  // what the registers hold
    __shared__ Tiles<d, kTile> queries, d_outs;
    const HeadPlace place = headPlace(shape, d);
    const Size stride = 3 * shape.C;
    const unsigned T = static_cast<unsigned>(shape.T), block_first = blockIdx.x * kOwn;
    const unsigned own = block_first + threadIdx.x / kWarp * 16;
    const auto load = [&](unsigned first) {
        queries.begin(first / kTile % 2, qkv + place.qkv, stride, first, T);
        d_outs.begin(first / kTile % 2, dy + place.y, shape.C, first, T);
    };
    load(block_first);
    Left<d> key, value;
    loadLeft(key, qkv + place.qkv + shape.C, stride, own, T);
    loadLeft(value, qkv + place.qkv + 2 * shape.C, stride, own, T);
    float d_key[d / 8][4] = {}, d_value[d / 8][4] = {};

    for (unsigned first = block_first; first < T; first += kTile) {
        wait_for_copies();
        __syncthreads();
        if (first + kTile < T) load(first + kTile);
        if (first + kTile <= own) continue;  // these queries see none of the warp's keys
        const unsigned which = first / kTile % 2;
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores<d, kTile>(p, key, queries.tile[which]);
        scores<d, kTile>(d_p, value, d_outs.tile[which]);
        scoreGradients<kTile, true>(p, d_p, own, first, T, log_sums + place.row, delta + place.row, scale);
        addProduct<d, kTile>(d_value, p, d_outs.tile[which]);
        addProduct<d, kTile>(d_key, d_p, queries.tile[which]);
    }
    storeRows<d>(d_qkv + place.qkv + shape.C, stride, own, T, d_key, {1.0F, 1.0F});
    storeRows<d>(d_qkv + place.qkv + 2 * shape.C, stride, own, T, d_value, {1.0F, 1.0F});
}

template <class Launch>
void attention_forward(const Launch& launch, Bf16* y, float* log_sums, const Bf16* qkv, Size B,
                       const AttentionShape& shape) {
    attentionForward(
        launch, {kOwn, kThreads}, [](auto d) { return &attention_forward_kernel<d()>; }, y, log_sums, qkv, B,
        shape);
}

template <class Launch>
void attention_backward(const Launch& launch, Bf16* d_qkv, const Bf16* dy, const Bf16* y,
                        const float* log_sums, const Bf16* qkv, Size B, const AttentionShape& shape,
                        void* workspace) {
    attentionBackward(
        launch, {kOwn, kThreads}, [](auto d) { return &attention_dq_kernel<d()>; },
        [](auto d) { return &attention_dkv_kernel<d()>; }, d_qkv, dy, y, log_sums, qkv, B, shape, workspace);
}

}  // namespace bscope::cuda::bf16
