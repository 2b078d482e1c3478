// exp for the loops: branch-free, so that the compiler can vectorise a loop around it.
// Range reduction by Cody and Waite, exp(x) = 2^n exp(r), |r| <= ln(2)/2; then a polynomial in r.
#pragma once

#include <cstdint>

#include "kernels/cpu/simd/vector.h"

namespace bscope::simd {
namespace {

// Relative error under 2e-7 for -87 <= x <= 88; beyond that x is clamped, so results are positive and finite.
BSCOPE_INLINE float exp_clamped(float x) {
    x = x < -87.0F ? -87.0F : x;
    x = x > 88.0F ? 88.0F : x;
    // Adding 1.5 * 2^23 leaves round(x / ln 2) in the low bits.
    const float shifted = x * 1.44269504F + 12582912.0F;
    const float n = shifted - 12582912.0F;
    // ln 2 in two parts, the first with few bits so that n * part is exact
    const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    // Taylor coefficients 1/2! .. 1/7!; the remainder at |r| = ln(2)/2 is 5e-9.
    float q = 1.98412698e-4F;
    q = q * r + 1.38888889e-3F;
    q = q * r + 8.33333333e-3F;
    q = q * r + 4.16666667e-2F;
    q = q * r + 1.66666667e-1F;
    q = q * r + 0.5F;
    const float exp_r = (q * r) * r + r + 1.0F;
    const std::int32_t exponent = (__builtin_bit_cast(std::int32_t, shifted) - 0x4B400000 + 127) << 23;
    return exp_r * __builtin_bit_cast(float, exponent);
}

}  // namespace
}  // namespace bscope::simd
