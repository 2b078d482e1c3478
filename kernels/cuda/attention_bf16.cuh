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
    unsigned T, first, past, own;  // the block's first row and where they end, the warp's first
};
__device__ inline Part partOf(const AttentionShape& shape, unsigned d, const Bf16* qkv, unsigned block) {
    const HeadPlace place = headPlace(shape, d);
    const Bf16* const q = qkv + place.qkv;
    const unsigned T = static_cast<unsigned>(shape.T), first = block * kOwn;
    return {place,
            3 * shape.C,
            q,
            q + shape.C,
            q + 2 * shape.C,
            T,
            first,
            first + kOwn < T ? first + kOwn : T,
            first + threadIdx.x / kWarp * 16};
}
// Where the last rows have the most tiles, they begin first.
__device__ inline unsigned lastBlocksFirst() {
    return gridDim.y - 1 - blockIdx.y;
}

// What the causal mask hides has no part in anything. The rows from first_row on are queries and the columns
// keys, or with `turned` the other way round.
template <unsigned columns, bool turned>
__device__ inline void hide(float (&score)[columns / 8][4], unsigned first_row, unsigned first_column) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned n = 0; n < columns / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned row = first_row + g + 8 * (i / 2), column = first_column + n * 8 + 2 * t + i % 2;
            if (turned ? column < row : row < column) score[n][i] = -INFINITY;
        }
}

// Of 16 rows: their greatest scores so far, to the base 2, and the sums of the lane's weights, which are
// shares of the weight of the greatest.
struct RowSums {
    float greatest[2] = {-INFINITY, -INFINITY}, of_lane[2] = {};
};

// A tile's scores become weights; what was summed before fades to shares of the new greatest.
template <unsigned d, unsigned columns>
__device__ inline void weigh(float (&p)[columns / 8][4], float (&out)[d / 8][4], RowSums& rows,
                             float scale2) {
    float greatest[2] = {-INFINITY, -INFINITY};
#pragma unroll
    for (unsigned n = 0; n < columns / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) greatest[i / 2] = fmaxf(greatest[i / 2], p[n][i]);
    float fade[2], sum[2] = {};
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
        const float now = fmaxf(rows.greatest[half], rowMax(greatest[half]) * scale2);
        fade[half] = fast_exp2(rows.greatest[half] - now);
        rows.greatest[half] = now;
    }
#pragma unroll
    for (unsigned n = 0; n < columns / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            p[n][i] = fast_exp2(p[n][i] * scale2 - rows.greatest[i / 2]);
            sum[i / 2] += p[n][i];
        }
#pragma unroll
    for (unsigned half = 0; half < 2; ++half)
        rows.of_lane[half] = rows.of_lane[half] * fade[half] + sum[half];
#pragma unroll
    for (unsigned n = 0; n < d / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) out[n][i] *= fade[i / 2];
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_forward_kernel(Bf16* y, float* log_sums, const Bf16* qkv, AttentionShape shape, float scale) {
    __shared__ Tile<d, kOwn> keys, values;
    uninitialised(keys, values);
    const Part part = partOf(shape, d, qkv, lastBlocksFirst());
    const float scale2 = scale * kLog2e;  // exponentials to the base 2
    Left<d> query;
    loadLeft(query, part.q, part.stride, part.own, part.T);
    float out[d / 8][4] = {}, p[kOwn / 8][4];
    RowSums sums;

    keys.begin(part.k, part.stride, 0, part.T);
    for (unsigned first = 0; first <= part.first; first += kOwn) {
        wait_for_copies();
        __syncthreads();  // the keys are there, and all are done with the values before these
        values.begin(part.v, part.stride, first, part.T);
        scores(p, query, keys);
        if (first == part.first) hide<kOwn, false>(p, part.own, first);
        weigh<d, kOwn>(p, out, sums, scale2);
        wait_for_copies();
        __syncthreads();  // the values are there, and all are done with the keys
        if (first < part.first) keys.begin(part.k, part.stride, first + kOwn, part.T);
        addProduct(out, p, values);
    }

    const unsigned lane = threadIdx.x % kWarp;
    float share[2];
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
        const float sum = rowSum(sums.of_lane[half]);
        const unsigned row = part.own + lane / 4 + 8 * half;
        if (lane % 4 == 0 && row < part.T)
            log_sums[part.place.row + row] = sums.greatest[half] / kLog2e + logf(sum);
        share[half] = 1.0F / sum;
    }
    storeRows<d>(y + part.place.y, shape.C, part.own, part.T, out, share);
}

// From a tile's scores and dp what they are in the gradient: p, and ds without its factor 1 / sqrt(d).
// `of_query(n, i)` knows the log of the query's sum, to the base 2, and its delta.
struct OfQuery {
    float log_sum2, delta;
};
template <unsigned columns, class Of>
__device__ inline void scoreGradients(float (&p)[columns / 8][4], float (&d_p)[columns / 8][4], float scale2,
                                      Of of_query) {
#pragma unroll
    for (unsigned n = 0; n < columns / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const OfQuery of = of_query(n, i);
            p[n][i] = fast_exp2(p[n][i] * scale2 - of.log_sum2);
            d_p[n][i] = p[n][i] * (d_p[n][i] - of.delta);
        }
}

// Two pairs of tiles: one at work, the other on its way.
template <unsigned d, unsigned rows>
struct Pair {
    Tile<d, rows> one, other;
};
// load(pair, first), and when that is there and the next one on its way, work(pair, first), of every tile.
template <unsigned rows, class Pairs, class Load, class Work>
__device__ inline void eachPair(Pairs& pairs, unsigned first, unsigned end, Load load, Work work) {
    load(pairs[0], first);
    for (unsigned at = 0; first < end; first += rows, at ^= 1U) {
        wait_for_copies();
        __syncthreads();  // and all are done with the pair before this one
        if (first + rows < end) load(pairs[at ^ 1U], first + rows);
        work(pairs[at], first);
    }
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dq_kernel(Bf16* dq, const Bf16* dy, const float* log_sums, const float* delta, const Bf16* qkv,
                        AttentionShape shape, float scale) {
    constexpr unsigned kTile = 32;
    using Keys = Pair<d, kTile>;  // and values
    __shared__ Keys tiles[2];
    uninitialised(tiles);
    const Part part = partOf(shape, d, qkv, lastBlocksFirst());
    const float scale2 = scale * kLog2e;
    Left<d> query, d_out;
    loadLeft(query, part.q, part.stride, part.own, part.T);
    loadLeft(d_out, dy + part.place.y, shape.C, part.own, part.T);
    OfQuery of[2];
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = part.own + threadIdx.x % kWarp / 4 + 8 * half;
        const Size at = part.place.row + (row < part.T ? row : 0);
        of[half] = {log_sums[at] * kLog2e, delta[at]};
    }
    float sum[d / 8][4] = {};

    const auto load = [&](Keys& to, unsigned first) {
        to.one.begin(part.k, part.stride, first, part.T);
        to.other.begin(part.v, part.stride, first, part.T);
    };
    eachPair<kTile>(tiles, 0, part.past, load, [&](const Keys& at, unsigned first) {
        if (first > part.own + 15) return;  // hidden from the warp's rows
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores(p, query, at.one);
        scores(d_p, d_out, at.other);
        if (first + kTile > part.own) hide<kTile, false>(p, part.own, first);
        scoreGradients<kTile>(p, d_p, scale2, [&](unsigned, unsigned i) { return of[i / 2]; });
        addProduct(sum, d_p, at.one);
    });
    storeRows<d>(dq + part.place.y, shape.C, part.own, part.T, sum, {scale, scale});
}

// A block reads the keys and values of its own rows only, so d_qkv may be qkv.
template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dkv_kernel(Bf16* d_qkv, const Bf16* dy, const float* log_sums, const float* delta,
                         const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = 32;
    struct Queries : Pair<d, kTile> {  // and gradients of what came out
        float log_sum[kTile], delta[kTile];
    };
    __shared__ Queries tiles[2];
    uninitialised(tiles);
    const Part part = partOf(shape, d, qkv, blockIdx.y);
    const float scale2 = scale * kLog2e;
    Left<d> key, value;
    loadLeft(key, part.k, part.stride, part.own, part.T);
    loadLeft(value, part.v, part.stride, part.own, part.T);
    float d_key[d / 8][4] = {}, d_value[d / 8][4] = {};

    const auto load = [&](Queries& to, unsigned first) {
        to.one.begin(part.q, part.stride, first, part.T);
        to.other.begin(dy + part.place.y, shape.C, first, part.T);
        const unsigned i = threadIdx.x % kTile;
        const bool here = first + i < part.T;
        const Size at = part.place.row + (here ? first + i : 0);
        if (threadIdx.x < kTile)
            begin_copy_of_one(&to.log_sum[i], log_sums + at, !here);
        else if (threadIdx.x < 2 * kTile)
            begin_copy_of_one(&to.delta[i], delta + at, !here);
    };
    eachPair<kTile>(tiles, part.first, part.T, load, [&](const Queries& at, unsigned first) {
        if (first + kTile <= part.own) return;  // these queries see none of the warp's keys
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores(p, key, at.one);
        scores(d_p, value, at.other);
        if (first < part.own + 15) hide<kTile, true>(p, part.own, first);
        const unsigned t = threadIdx.x % 4;
        scoreGradients<kTile>(p, d_p, scale2, [&](unsigned n, unsigned i) {
            const unsigned query = n * 8 + 2 * t + i % 2;
            return OfQuery{at.log_sum[query] * kLog2e, at.delta[query]};
        });
        addProduct(d_value, p, at.other);
        addProduct(d_key, d_p, at.one);
    });
    Bf16* const to = d_qkv + part.place.qkv + shape.C;
    storeRows<d>(to, part.stride, part.own, part.T, d_key, {scale, scale});
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
