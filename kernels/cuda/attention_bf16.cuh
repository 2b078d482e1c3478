// Attention on the tensor cores: operands are bf16, scores and sums are fp32. A warp
// owns 16 rows (queries, or keys in the second backward kernel), a block 64; the other side comes in tiles
// through shared memory, by rows for a product over the head and turned over for a product over the tile.
// Fragments are laid out as device_language.cuh says; a warp's scores are, as they are, the left side of the
// next product.
#pragma once

#include "kernels/cuda/attention.cuh"

namespace bscope::cuda::bf16 {

constexpr unsigned kWarps = 4;
constexpr unsigned kThreads = kWarps * kWarp;
constexpr unsigned kOwn = 16 * kWarps;  // rows of a block
constexpr float kLog2e = 1.4426950408889634F;

// 16 rows of d numbers as the left side of products over d.
template <unsigned d>
struct Left {
    std::uint32_t part[d / 16][4];
};

// Rows first ... first + 15 of the warp, straight from memory; zeros from row `end` on.
template <unsigned d>
__device__ inline void loadLeft(Left<d>& to, const Bf16* from, Size stride, Size first, Size end) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned k = 0; k < d / 16; ++k)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const Size row = first + g + 8 * (i % 2);
            const Bf16* const at = from + row * stride + k * 16 + 2 * t + 8 * (i / 2);
            to.part[k][i] = row < end ? load_pair(&at->bits) : 0U;
        }
}

// `rows` rows of d numbers by rows (pitch d + 8) and, unless null, turned over: (d, rows) with pitch rows
// + 8. The pitches put the eight rows of a fragment into different banks.
template <unsigned d, unsigned rows>
__device__ inline void loadTile(std::uint16_t* by_rows, std::uint16_t* turned, const Bf16* from, Size stride,
                                Size first, Size end) {
    for (unsigned i = threadIdx.x; i < rows * d; i += kThreads) {
        const unsigned row = i / d, column = i % d;
        const std::uint16_t value =
            first + row < end ? from[(first + row) * stride + column].bits : std::uint16_t{0};
        if (by_rows) by_rows[row * (d + 8) + column] = value;
        if (turned) turned[column * (rows + 8) + row] = value;
    }
}

// score (16, rows) = left (16, d) tile^T, tile (rows, d)
template <unsigned d, unsigned rows>
__device__ inline void scores(float (&score)[rows / 8][4], const Left<d>& left, const std::uint16_t* tile) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned n = 0; n < rows / 8; ++n) {
        for (float& s : score[n]) s = 0.0F;
        const std::uint16_t* const row = tile + (n * 8 + g) * (d + 8) + 2 * t;
#pragma unroll
        for (unsigned k = 0; k < d / 16; ++k) {
            const std::uint32_t right[2] = {load_pair(row + k * 16), load_pair(row + k * 16 + 8)};
            mma_16x8x16(score[n], left.part[k], right);
        }
    }
}

// sum (16, d) += weight (16, rows) tile, the tile turned over: (d, rows)
template <unsigned d, unsigned rows>
__device__ inline void addProduct(float (&sum)[d / 8][4], const float (&weight)[rows / 8][4],
                                  const std::uint16_t* turned) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned k = 0; k < rows / 16; ++k) {
        const float(&low)[4] = weight[2 * k];
        const float(&high)[4] = weight[2 * k + 1];
        const std::uint32_t left[4] = {pack_bf16(low[0], low[1]), pack_bf16(low[2], low[3]),
                                       pack_bf16(high[0], high[1]), pack_bf16(high[2], high[3])};
#pragma unroll
        for (unsigned n = 0; n < d / 8; ++n) {
            const std::uint16_t* const column = turned + (n * 8 + g) * (rows + 8) + k * 16 + 2 * t;
            const std::uint32_t right[2] = {load_pair(column), load_pair(column + 8)};
            mma_16x8x16(sum[n], left, right);
        }
    }
}

// Over the four lanes that share a row.
__device__ inline float rowMax(float x) {
    x = fmaxf(x, __shfl_xor_sync(kAllLanes, x, 1));
    return fmaxf(x, __shfl_xor_sync(kAllLanes, x, 2));
}
__device__ inline float rowSum(float x) {
    x += __shfl_xor_sync(kAllLanes, x, 1);
    return x + __shfl_xor_sync(kAllLanes, x, 2);
}

// to (16, d) of the warp = sum times the factor of its row; rows from `end` on are left out.
template <unsigned d>
__device__ inline void storeRows(Bf16* to, Size stride, Size first, Size end, const float (&sum)[d / 8][4],
                                 const float (&factor)[2]) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
        const Size row = first + g + 8 * half;
        if (row >= end) continue;
#pragma unroll
        for (unsigned n = 0; n < d / 8; ++n) {
            to[row * stride + n * 8 + 2 * t] = narrow<Bf16>(sum[n][2 * half] * factor[half]);
            to[row * stride + n * 8 + 2 * t + 1] = narrow<Bf16>(sum[n][2 * half + 1] * factor[half]);
        }
    }
}

template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_forward_kernel(Bf16* y, float* log_sums, const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = 64;
    alignas(16) __shared__ std::uint16_t keys[kTile * (d + 8)], values_turned[d * (kTile + 8)];
    const HeadPlace place = headPlace(shape, d);
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
    const Size stride = 3 * shape.C, T = shape.T, block_first = static_cast<Size>(blockIdx.x) * kOwn;
    const Size own = block_first + threadIdx.x / kWarp * 16;
    Left<d> query;
    loadLeft(query, qkv + place.qkv, stride, own, T);
    float out[d / 8][4] = {}, greatest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    const float scale2 = scale * kLog2e;  // exponentials to the base 2

    const Size end = block_first + kOwn < T ? block_first + kOwn : T;
    for (Size first = 0; first < end; first += kTile) {
        __syncthreads();
        loadTile<d, kTile>(keys, nullptr, qkv + place.qkv + shape.C, stride, first, T);
        loadTile<d, kTile>(nullptr, values_turned, qkv + place.qkv + 2 * shape.C, stride, first, T);
        __syncthreads();
        float p[kTile / 8][4];
        scores<d, kTile>(p, query, keys);
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
        addProduct<d, kTile>(out, p, values_turned);
    }
    storeRows<d>(y + place.y, shape.C, own, T, out, {1.0F / sum[0], 1.0F / sum[1]});
    for (unsigned half = 0; half < 2; ++half) {
        const Size row = own + g + 8 * half;
        if (t == 0 && row < T) log_sums[place.row + row] = greatest[half] / kLog2e + logf(sum[half]);
    }
}

// p and ds of a tile from its scores and dp, in their places. A row is a query and a column a key, or with
// `turned` the other way round; what the causal mask hides and what lies beyond T is zero.
template <unsigned columns, bool turned>
__device__ inline void scoreGradients(float (&p)[columns / 8][4], float (&d_p)[columns / 8][4],
                                      Size first_row, Size first_column, Size T, const float* log_sums,
                                      const float* delta, float scale) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned n = 0; n < columns / 8; ++n)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const Size row = first_row + g + 8 * (i / 2), column = first_column + n * 8 + 2 * t + i % 2;
            const Size query = turned ? column : row, key = turned ? row : column;
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
    alignas(16) __shared__ std::uint16_t keys[kTile * (d + 8)], values[kTile * (d + 8)],
        keys_turned[d * (kTile + 8)];
    const HeadPlace place = headPlace(shape, d);
    const Size stride = 3 * shape.C, T = shape.T, block_first = static_cast<Size>(blockIdx.x) * kOwn;
    const Size own = block_first + threadIdx.x / kWarp * 16;
    Left<d> query, d_out;
    loadLeft(query, qkv + place.qkv, stride, own, T);
    loadLeft(d_out, dy + place.y, shape.C, own, T);
    float sum[d / 8][4] = {};

    const Size end = block_first + kOwn < T ? block_first + kOwn : T;
    for (Size first = 0; first < end; first += kTile) {
        __syncthreads();
        loadTile<d, kTile>(keys, keys_turned, qkv + place.qkv + shape.C, stride, first, T);
        loadTile<d, kTile>(values, nullptr, qkv + place.qkv + 2 * shape.C, stride, first, T);
        __syncthreads();
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores<d, kTile>(p, query, keys);
        scores<d, kTile>(d_p, d_out, values);
        scoreGradients<kTile, false>(p, d_p, own, first, T, log_sums + place.row, delta + place.row, scale);
        addProduct<d, kTile>(sum, d_p, keys_turned);
    }
    storeRows<d>(dq + place.y, shape.C, own, T, sum, {1.0F, 1.0F});
}

// A block reads the keys and values of its own rows only, so d_qkv may be qkv.
template <unsigned d>
__global__ void __launch_bounds__(kThreads)
    attention_dkv_kernel(Bf16* d_qkv, const Bf16* dy, const float* log_sums, const float* delta,
                         const Bf16* qkv, AttentionShape shape, float scale) {
    constexpr unsigned kTile = d == 128 ? 16 : 32;  // what the registers hold
    alignas(16) __shared__ std::uint16_t queries[kTile * (d + 8)], queries_turned[d * (kTile + 8)];
    alignas(16) __shared__ std::uint16_t d_outs[kTile * (d + 8)], d_outs_turned[d * (kTile + 8)];
    const HeadPlace place = headPlace(shape, d);
    const Size stride = 3 * shape.C, T = shape.T, block_first = static_cast<Size>(blockIdx.x) * kOwn;
    const Size own = block_first + threadIdx.x / kWarp * 16;
    Left<d> key, value;
    loadLeft(key, qkv + place.qkv + shape.C, stride, own, T);
    loadLeft(value, qkv + place.qkv + 2 * shape.C, stride, own, T);
    float d_key[d / 8][4] = {}, d_value[d / 8][4] = {};

    for (Size first = block_first; first < T; first += kTile) {
        __syncthreads();
        loadTile<d, kTile>(queries, queries_turned, qkv + place.qkv, stride, first, T);
        loadTile<d, kTile>(d_outs, d_outs_turned, dy + place.y, shape.C, first, T);
        __syncthreads();
        float p[kTile / 8][4], d_p[kTile / 8][4];
        scores<d, kTile>(p, key, queries);
        scores<d, kTile>(d_p, value, d_outs);
        scoreGradients<kTile, true>(p, d_p, own, first, T, log_sums + place.row, delta + place.row, scale);
        addProduct<d, kTile>(d_value, p, d_outs_turned);
        addProduct<d, kTile>(d_key, d_p, queries_turned);
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
