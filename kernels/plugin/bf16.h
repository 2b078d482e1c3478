// bfloat16 on the host: the upper half of an fp32 number.
#pragma once

#include <bit>
#include <cstdint>

namespace bscope {

// Round to nearest, ties to even; a NaN stays one.
inline std::uint16_t toBf16(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    if (x != x) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

inline float fromBf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace bscope
