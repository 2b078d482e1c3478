// A square of kWidth x kWidth numbers transposed in registers: as many vector loads and stores as rows. Only
// constants and the C language in here, see loops.h.
#pragma once

#include <cstddef>

#include "kernels/cpu/simd/vector.h"

namespace bscope::simd {
namespace {

// Strides: from one row to the next, of the result and of what is transposed.
#if defined(__AVX__)
BSCOPE_INLINE void transposeSquare(float* to, std::size_t to_stride, const float* from, std::size_t stride) {
    Vector row[kWidth], pair[kWidth];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kWidth; ++i) row[i] = load(from + i * stride);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kWidth; i += 2) {
        pair[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pair[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
#pragma GCC unroll 2
    for (std::size_t i = 0; i < kWidth; i += 4) {
#pragma GCC unroll 2
        for (std::size_t j = i; j < i + 2; ++j) {
            row[j] = __builtin_shufflevector(pair[j], pair[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            row[j + 2] = __builtin_shufflevector(pair[j], pair[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) {
        store(to + j * to_stride, __builtin_shufflevector(row[j], row[j + 4], 0, 1, 2, 3, 8, 9, 10, 11));
        store(to + (j + 4) * to_stride,
              __builtin_shufflevector(row[j], row[j + 4], 4, 5, 6, 7, 12, 13, 14, 15));
    }
}
#else
BSCOPE_INLINE void transposeSquare(float* to, std::size_t to_stride, const float* from, std::size_t stride) {
    Vector row[kWidth], pair[kWidth];
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kWidth; ++i) row[i] = load(from + i * stride);
#pragma GCC unroll 2
    for (std::size_t i = 0; i < kWidth; i += 2) {
        pair[i] = __builtin_shufflevector(row[i], row[i + 1], 0, 4, 2, 6);
        pair[i + 1] = __builtin_shufflevector(row[i], row[i + 1], 1, 5, 3, 7);
    }
#pragma GCC unroll 2
    for (std::size_t j = 0; j < 2; ++j) {
        store(to + j * to_stride, __builtin_shufflevector(pair[j], pair[j + 2], 0, 1, 4, 5));
        store(to + (j + 2) * to_stride, __builtin_shufflevector(pair[j], pair[j + 2], 2, 3, 6, 7));
    }
}
#endif

}  // namespace
}  // namespace bscope::simd
