// Attention on the tensor cores: operands are bf16, scores and sums are fp32. A warp owns 16 rows (queries,
// or keys in the second backward kernel), a block 64; the other side comes in tiles through shared memory,
// the next one while this one is worked on.
#pragma once

#include "kernels/cuda/attention_tiles.cuh"

namespace bscope::cuda::bf16 {

// A block's part of a head: where the head's rows lie, and which the warp owns.
struct Part {
    HeadPlace place;
    Size stride;  // of q, k and v
    const Bf16 *q, *k, *v;
    unsigned T, first, own;  // the block's first row, the warp's
};
__device__ inline Part partOf(const AttentionShape& shape, unsigned d, const Bf16* qkv, unsigned block) {
    const HeadPlace place = headPlace(shape, d);
    const Bf16* const q = qkv + place.qkv;
    const unsigned first = block * kOwn;
    return {place,
            3 * shape.C,
            q,
            q + shape.C,
            q + 2 * shape.C,
            static_cast<unsigned>(shape.T),
            first,
            first + threadIdx.x / kWarp * 16};
}
// Where the last rows have the most tiles, they begin first.
__device__ inline unsigned lastBlocksFirst() {
    return gridDim.x - 1 - blockIdx.x;
}

// Keys and values of all rows up to the block's last, for queries of its own.
template <unsigned d, unsigned rows, class Work>
__device__ inline void eachKeyTile(const Part& part, Tiles<d, rows>& keys, Tiles<d, rows>& values,
                                   Work work) {
    const unsigned end = part.first + kOwn < part.T ? part.first + kOwn : part.T;
    const auto load = [&](unsigned first) {
        keys.begin(part.k, part.stride, first, part.T);
        values.begin(part.v, part.stride, first, part.T);
    };
    eachTile<rows>(0, end, load, [&](unsigned first) {
        if (first <= part.own + 15) work(first);  // else hidden from the warp's rows
    });
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_forward_kernel(Bf16* y, float* log_sums, const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = d == 128 ? 32 : 64;  // what shared memory holds
    __shared__ Tiles<d, kTile> keys, values;
    uninitialised(keys, values);
    const Part part = partOf(shape, d, qkv, lastBlocksFirst());
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
    Left<d> query;
    loadLeft(query, part.q, part.stride, part.own, part.T);
    float out[d / 8][4] = {}, greatest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    const float scale2 = scale * kLog2e;  // exponentials to the base 2

    eachKeyTile(part, keys, values, [&](unsigned first) {
        float p[kTile / 8][4];
        scores<d, kTile>(p, query, keys.at(first));
        float new_greatest[2] = {greatest[0], greatest[1]};
#pragma unroll
        for (unsigned n = 0; n < kTile / 8; ++n)
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) {
                const bool seen = first + n * 8 + 2 * t + i % 2 <= part.own + g + 8 * (i / 2);
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
        addProduct<d, kTile>(out, p, values.at(first));
    });
    storeRows<d>(y + part.place.y, shape.C, part.own, part.T, out, {1.0F / sum[0], 1.0F / sum[1]});
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = part.own + g + 8 * half;
        if (t == 0 && row < part.T)
            log_sums[part.place.row + row] = greatest[half] / kLog2e + logf(sum[half]);
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
    uninitialised(keys, values);
    const Part part = partOf(shape, d, qkv, lastBlocksFirst());
    Left<d> query, d_out;
    loadLeft(query, part.q, part.stride, part.own, part.T);
    loadLeft(d_out, dy + part.place.y, shape.C, part.own, part.T);
    float sum[d / 8][4] = {};

    eachKeyTile(part, keys, values, [&](unsigned first) {
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores<d, kTile>(p, query, keys.at(first));
        scores<d, kTile>(d_p, d_out, values.at(first));
        scoreGradients<kTile, false>(p, d_p, part.own, first, part.T, log_sums + part.place.row,
                                     delta + part.place.row, scale);
        addProduct<d, kTile>(sum, d_p, keys.at(first));
    });
    storeRows<d>(dq + part.place.y, shape.C, part.own, part.T, sum, {1.0F, 1.0F});
}

// A block reads the keys and values of its own rows only, so d_qkv may be qkv.
template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dkv_kernel(Bf16* d_qkv, const Bf16* dy, const float* log_sums, const float* delta,
                         const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = d == 128 ? 16 : 32;  // what the registers hold
    __shared__ Tiles<d, kTile> queries, d_outs;
    uninitialised(queries, d_outs);
    const Part part = partOf(shape, d, qkv, blockIdx.x);
    Left<d> key, value;
    loadLeft(key, part.k, part.stride, part.own, part.T);
    loadLeft(value, part.v, part.stride, part.own, part.T);
    float d_key[d / 8][4] = {}, d_value[d / 8][4] = {};

    const auto load = [&](unsigned first) {
        queries.begin(part.q, part.stride, first, part.T);
        d_outs.begin(dy + part.place.y, shape.C, first, part.T);
    };
    eachTile<kTile>(part.first, part.T, load, [&](unsigned first) {
        if (first + kTile <= part.own) return;  // these queries see none of the warp's keys
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores<d, kTile>(p, key, queries.at(first));
        scores<d, kTile>(d_p, value, d_outs.at(first));
        scoreGradients<kTile, true>(p, d_p, part.own, first, part.T, log_sums + part.place.row,
                                    delta + part.place.row, scale);
        addProduct<d, kTile>(d_value, p, d_outs.at(first));
        addProduct<d, kTile>(d_key, d_p, queries.at(first));
    });
    Bf16* const to = d_qkv + part.place.qkv + shape.C;
    storeRows<d>(to, part.stride, part.own, part.T, d_key, {1.0F, 1.0F});
    storeRows<d>(to + shape.C, part.stride, part.own, part.T, d_value, {1.0F, 1.0F});
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
