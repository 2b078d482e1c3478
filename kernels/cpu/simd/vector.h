// As many numbers as a register of AVX holds, or of older instructions, at any address of a float; and
// sixteen, a cache line, in as many registers as it takes. No vector is longer than a register: GCC would
// take it apart number by number, and a loop takes eight times as long. Only constants and the C language in
// here, see loops.h.
#pragma once

#include <cstddef>

#define BSCOPE_INLINE inline __attribute__((always_inline))

namespace bscope::simd {
namespace {

#if defined(__AVX__)
constexpr std::size_t kWidth = 8;
#else
constexpr std::size_t kWidth = 4;
#endif
using Vector = float __attribute__((vector_size(sizeof(float) * kWidth)));
// clang reads the alignment from a typedef alone.
typedef float AnyVector __attribute__((vector_size(sizeof(float) * kWidth), aligned(sizeof(float))));

BSCOPE_INLINE Vector load(const float* from) {
    return *reinterpret_cast<const AnyVector*>(from);
}
BSCOPE_INLINE void store(float* to, Vector vector) {
    *reinterpret_cast<AnyVector*>(to) = vector;
}

constexpr std::size_t kLineWidth = 16;
#if defined(__AVX512F__)
constexpr std::size_t kPartWidth = kLineWidth;
#else
constexpr std::size_t kPartWidth = kWidth;
#endif
constexpr std::size_t kParts = kLineWidth / kPartWidth;
using Part = float __attribute__((vector_size(sizeof(float) * kPartWidth)));
typedef float AnyPart __attribute__((vector_size(sizeof(float) * kPartWidth), aligned(sizeof(float))));

struct Line {
    Part part[kParts];
};

BSCOPE_INLINE Line loadLine(const float* from) {
    Line line;
    for (std::size_t i = 0; i < kParts; ++i)
        line.part[i] = *reinterpret_cast<const AnyPart*>(from + i * kPartWidth);
    return line;
}
BSCOPE_INLINE void store(float* to, Line line) {
    for (std::size_t i = 0; i < kParts; ++i) *reinterpret_cast<AnyPart*>(to + i * kPartWidth) = line.part[i];
}
BSCOPE_INLINE Line operator+(Line a, Line b) {
    for (std::size_t i = 0; i < kParts; ++i) a.part[i] += b.part[i];
    return a;
}
BSCOPE_INLINE Line operator-(Line a, Line b) {
    for (std::size_t i = 0; i < kParts; ++i) a.part[i] -= b.part[i];
    return a;
}
BSCOPE_INLINE Line operator*(Line a, Line b) {
    for (std::size_t i = 0; i < kParts; ++i) a.part[i] *= b.part[i];
    return a;
}
BSCOPE_INLINE Line operator-(Line a, float b) {
    for (std::size_t i = 0; i < kParts; ++i) a.part[i] -= b;
    return a;
}
BSCOPE_INLINE Line operator*(Line a, float b) {
    for (std::size_t i = 0; i < kParts; ++i) a.part[i] *= b;
    return a;
}
BSCOPE_INLINE float sum(Line line) {
#if defined(__AVX512F__)
    const Part all = line.part[0];
    const Vector half = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7) +
                        __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15);
#elif defined(__AVX__)
    const Vector half = line.part[0] + line.part[1];
#endif
#if defined(__AVX__)
    const auto quarter =
        __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
#else
    const Vector quarter = (line.part[0] + line.part[1]) + (line.part[2] + line.part[3]);
#endif
    return (quarter[0] + quarter[1]) + (quarter[2] + quarter[3]);
}

// Asks for a line that is used some rows later, into the second-level cache: the first has no room for it,
// and prefetching by the hardware ends with a page of 4096 bytes, which one row may fill. What is asked for
// past the last row costs its time, no more.
BSCOPE_INLINE void ask(const float* line) {
    __builtin_prefetch(line, 0, 2);
}

}  // namespace
}  // namespace bscope::simd
