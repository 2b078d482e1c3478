// CUDA's names on the CPU, for tests of the kernels without a GPU: a launch runs block after block, in a
// random order, the threads of a block as fibers (emulator.h). Numbers are those of the same kernel up to the
// rounding of the mathematical functions; what is undefined on a GPU throws std::logic_error. One launch at a
// time in a thread.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "kernels/cuda/emulator.h"
#include "kernels/cuda/grid.h"
#include "kernels/plugin/bf16.h"

// The runtime's headers define them for compilers without CUDA.
#undef __global__
#undef __device__
#undef __host__
#undef __forceinline__
#undef __shared__
#undef __launch_bounds__
#define __global__ __attribute__((unused))
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

namespace bscope::cuda {

// The source location of a call, which distinguishes it from others of its kind.
using CallPlace = Emulator::Place;

inline void __syncthreads(const CallPlace& place = CallPlace::current()) {
    Emulator::current().barrier(place);
}
template <class... T>
void uninitialised(T&... shared) {
    (Emulator::current().uninitialised(&shared, sizeof(shared)), ...);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, const CallPlace& place = CallPlace::current()) {
    return Emulator::current().exchange(value, mask,
                                        place)[(threadIdx.x % 32) ^ static_cast<unsigned>(lanes)];
}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, const CallPlace& place = CallPlace::current()) {
    return Emulator::current().exchange(value, mask, place)[static_cast<unsigned>(lane)];
}
inline unsigned __ballot_sync(unsigned mask, int predicate, const CallPlace& place = CallPlace::current()) {
    const auto seen = Emulator::current().exchange(static_cast<unsigned>(predicate != 0), mask, place);
    unsigned all = 0;
    for (unsigned lane = 0; lane < 32; ++lane) all |= seen[lane] << lane;
    return all;
}
inline int __popc(unsigned x) {
    return std::popcount(x);
}

inline std::uint16_t to_bf16(float x) {
    return toBf16(x);
}
inline float from_bf16(std::uint16_t bits) {
    return fromBf16(bits);
}

inline std::uint32_t pack_bf16(float low, float high) {
    return static_cast<std::uint32_t>(to_bf16(low)) | static_cast<std::uint32_t>(to_bf16(high)) << 16;
}
inline float fast_exp2(float x) {
    return exp2f(x);
}

// Throws std::logic_error where a GPU would fault.
inline std::uint32_t load_pair(const std::uint16_t* at) {
    if (reinterpret_cast<std::uintptr_t>(at) % 4 != 0) throw std::logic_error("a misaligned load");
    std::uint32_t pair;
    std::memcpy(&pair, at, sizeof(pair));
    return pair;
}

inline void store_pair(std::uint16_t* at, std::uint32_t pair) {
    if (reinterpret_cast<std::uintptr_t>(at) % 4 != 0) throw std::logic_error("a misaligned store");
    std::memcpy(at, &pair, sizeof(pair));
}

struct alignas(16) Sixteen {
    std::uint32_t part[4];
};
inline Sixteen load_sixteen(const void* at) {
    if (reinterpret_cast<std::uintptr_t>(at) % 16 != 0) throw std::logic_error("a misaligned load");
    Sixteen read;
    std::memcpy(&read, at, sizeof(read));
    return read;
}
inline void store_sixteen(void* at, const Sixteen& from) {
    if (reinterpret_cast<std::uintptr_t>(at) % 16 != 0) throw std::logic_error("a misaligned store");
    std::memcpy(at, &from, sizeof(from));
}
inline float float_of(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

inline void begin_copy_of(std::size_t bytes, void* to, const void* from, bool zeros) {
    if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % bytes != 0)
        throw std::logic_error("a misaligned copy");
    const auto copy = [=] {
        if (zeros)
            std::memset(to, 0, bytes);
        else
            std::memcpy(to, from, bytes);
    };
    // As early as it may come, or as late.
    if (threadIdx.x / 32 % 2 == 0)
        copy();
    else
        Emulator::current().later(copy);
}
inline void begin_copy(void* to, const void* from, bool zeros) {
    begin_copy_of(16, to, from, zeros);
}
inline void begin_copy_of_one(float* to, const float* from, bool zero) {
    begin_copy_of(4, to, from, zero);
}
inline void wait_for_copies() {
    Emulator::current().doWhatIsLate();
}

template <bool turned>
void load_matrices(std::uint32_t (&to)[4], const std::uint16_t* row,
                   const CallPlace& place = CallPlace::current()) {
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0) throw std::logic_error("a misaligned matrix");
    const auto rows = Emulator::current().exchange(row, 0xffffffffU, place);
    const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
        const auto at = [&](unsigned r, unsigned c) { return std::uint32_t{rows[8 * i + r][c]}; };
        to[i] = turned ? at(2 * t, g) | at(2 * t + 1, g) << 16 : at(g, 2 * t) | at(g, 2 * t + 1) << 16;
    }
}

inline void mma_16x8x16(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                        const CallPlace& place = CallPlace::current()) {
    struct Fragments {
        std::uint32_t a[4], b[2];
    };
    const auto lanes =
        Emulator::current().exchange(Fragments{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}}, 0xffffffffU, place);
    const auto half = [](std::uint32_t pair, unsigned which) {
        return from_bf16(static_cast<std::uint16_t>(pair >> 16 * which & 0xffffU));
    };
    const auto left = [&](unsigned row, unsigned k) {  // a (row, k)
        return half(lanes[row % 8 * 4 + k % 8 / 2].a[row / 8 + 2 * (k / 8)], k % 2);
    };
    const auto right = [&](unsigned k, unsigned column) {  // b (k, column)
        return half(lanes[column * 4 + k % 8 / 2].b[k / 8], k % 2);
    };
    const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < 16; ++k) c[i] += left(g + 8 * (i / 2), k) * right(k, 2 * t + i % 2);
}

// Stands where a launch on a stream stands under nvcc.
struct EmulatedLaunch {
    template <class... Parameters, class... Arguments>
    void operator()(Grid grid, unsigned block, void (*kernel)(Parameters...), Arguments... arguments) const {
        Emulator& emulator = Emulator::current();
        gridDim = {grid.x, grid.y};
        blockDim = {block, 1};
        // Each block once: steps that have no factor in common with their number.
        const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y;
        const std::uint64_t first = emulator.chance()() % blocks;
        std::uint64_t step = emulator.chance()() % blocks | 1U;
        while (std::gcd(step, blocks) != 1) step += 2;
        for (std::uint64_t i = 0; i < blocks; ++i) {
            const std::uint64_t at = (first + i * step) % blocks;
            blockIdx = {static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x)};
            emulator.runBlock(block, [&] { kernel(static_cast<Parameters>(arguments)...); });
        }
    }
};

}  // namespace bscope::cuda
