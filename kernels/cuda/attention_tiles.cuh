// What attention on the tensor cores is made of: rows of a warp in registers, tiles in shared
// memory, and the two products between them. Fragments are laid out as device_language.cuh says; a warp's
// scores are, as they are, the left side of the next product. A tile lies by rows for both products: in the
// one over the tile its fragments are turned over on their way to the registers.
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
__device__ inline void loadLeft(Left<d>& to, const Bf16* from, Size stride, unsigned first, unsigned end) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned k = 0; k < d / 16; ++k)
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned row = first + g + 8 * (i % 2);
            const Bf16* const at = from + row * stride + k * 16 + 2 * t + 8 * (i / 2);
            to.part[k][i] = row < end ? load_pair(&at->bits) : 0U;
        }
}

// `rows` rows of d numbers in shared memory. The pitch puts the eight rows of a fragment into different
// banks.
template <unsigned d, unsigned rows>
struct Tile {
    static constexpr unsigned kPitch = d + 8;
    alignas(16) std::uint16_t numbers[rows * kPitch];

    // Begins to load rows first ... first + rows - 1, the block together; zeros from row `end` on.
    __device__ void begin(const Bf16* from, Size stride, unsigned first, unsigned end) {
        constexpr unsigned kPieces = d / 8, kAtOnce = kThreads / kPieces;  // of a row, rows
        const unsigned row = threadIdx.x / kPieces, column = threadIdx.x % kPieces * 8;
        const Bf16* const piece = from + (first + row) * stride + column;
        std::uint16_t* const to = numbers + row * kPitch + column;
        if (first + rows <= end) {
#pragma unroll
            for (unsigned step = 0; step < rows; step += kAtOnce)
                begin_copy(to + step * kPitch, piece + step * stride, false);
        } else {
            for (unsigned step = 0; step < rows; step += kAtOnce) {
                const bool here = first + row + step < end;
                begin_copy(to + step * kPitch, here ? piece + step * stride : from, !here);
            }
        }
    }
};

// score (16, rows) = left (16, d) tile^T, tile (rows, d)
template <unsigned d, unsigned rows>
__device__ inline void scores(float (&score)[rows / 8][4], const Left<d>& left, const Tile<d, rows>& tile) {
    const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
    for (unsigned n = 0; n < rows / 8; ++n) {
        for (float& s : score[n]) s = 0.0F;
        const std::uint16_t* const row = tile.numbers + (n * 8 + lane % 8) * tile.kPitch + lane / 8 * 8;
#pragma unroll
        for (unsigned k = 0; k < d / 32; ++k) {
            std::uint32_t part[4];
            load_matrices<false>(part, row + k * 32);
            mma_16x8x16(score[n], left.part[2 * k], {part[0], part[1]});
            mma_16x8x16(score[n], left.part[2 * k + 1], {part[2], part[3]});
        }
    }
}

// sum (16, d) += weight (16, rows) tile, tile (rows, d)
template <unsigned d, unsigned rows>
__device__ inline void addProduct(float (&sum)[d / 8][4], const float (&weight)[rows / 8][4],
                                  const Tile<d, rows>& tile) {
    const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
    for (unsigned k = 0; k < rows / 16; ++k) {
        const float(&low)[4] = weight[2 * k];
        const float(&high)[4] = weight[2 * k + 1];
        const std::uint32_t left[4] = {pack_bf16(low[0], low[1]), pack_bf16(low[2], low[3]),
                                       pack_bf16(high[0], high[1]), pack_bf16(high[2], high[3])};
        const std::uint16_t* const row = tile.numbers + (k * 16 + lane % 16) * tile.kPitch + lane / 16 * 8;
#pragma unroll
        for (unsigned n = 0; n < d / 16; ++n) {
            std::uint32_t part[4];
            load_matrices<true>(part, row + n * 16);
            mma_16x8x16(sum[2 * n], left, {part[0], part[1]});
            mma_16x8x16(sum[2 * n + 1], left, {part[2], part[3]});
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
__device__ inline void storeRows(Bf16* to, Size stride, unsigned first, unsigned end,
                                 const float (&sum)[d / 8][4], const float (&factor)[2]) {
    const unsigned lane = threadIdx.x % kWarp, g = lane / 4, t = lane % 4;
#pragma unroll
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned row = first + g + 8 * half;
        if (row >= end) continue;
#pragma unroll
        for (unsigned n = 0; n < d / 8; ++n)
            store_pair(&to[row * stride + n * 8 + 2 * t].bits,
                       pack_bf16(sum[n][2 * half] * factor[half], sum[n][2 * half + 1] * factor[half]));
    }
}

}  // namespace bscope::cuda::bf16
