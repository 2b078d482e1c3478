// Eight numbers at a time, or sixteen: a cache line, in as many registers as the instruction set needs for
// it. At any address of a float. Only constants and the C language in here, see loops.h.
#pragma once

#include <cstddef>

namespace bscope::simd {
namespace {

constexpr std::size_t kWidth = 8, kLineWidth = 16;
using Vector = float __attribute__((vector_size(sizeof(float) * kWidth)));
using Line = float __attribute__((vector_size(sizeof(float) * kLineWidth)));
// clang reads the alignment from a typedef alone.
typedef float AnyVector __attribute__((vector_size(sizeof(float) * kWidth), aligned(sizeof(float))));
typedef float AnyLine __attribute__((vector_size(sizeof(float) * kLineWidth), aligned(sizeof(float))));

inline __attribute__((always_inline)) Vector load(const float* from) {
    return *reinterpret_cast<const AnyVector*>(from);
}
inline __attribute__((always_inline)) Line loadLine(const float* from) {
    return *reinterpret_cast<const AnyLine*>(from);
}
inline __attribute__((always_inline)) void store(float* to, Vector vector) {
    *reinterpret_cast<AnyVector*>(to) = vector;
}
inline __attribute__((always_inline)) void store(float* to, Line line) {
    *reinterpret_cast<AnyLine*>(to) = line;
}

}  // namespace
}  // namespace bscope::simd
