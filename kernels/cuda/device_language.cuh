// The names that kernels are written with. Under nvcc it is CUDA with a few warp-wide helpers; under any
// other compiler the same names run on the CPU, thread by thread (emulation.h), so that every kernel and
// every launch is tested on machines without a GPU. A kernel uses nothing of CUDA but what stands here or in
// emulation.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/grid.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#else
#include "kernels/cuda/emulation.h"
#endif

namespace bscope::cuda {

using Size = std::size_t;
constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffU;

__host__ __device__ constexpr Size divideUp(Size a, Size b) {
    return (a + b - 1) / b;
}

#ifdef __CUDACC__
// Stands after every declaration of shared memory: on the CPU it then holds NaN patterns.
template <class... T>
__device__ inline void uninitialised(T&...) {}

__device__ inline std::uint16_t to_bf16(float x) {
    return __bfloat16_as_ushort(__float2bfloat16_rn(x));
}
__device__ inline float from_bf16(std::uint16_t bits) {
    return __bfloat162float(__ushort_as_bfloat16(bits));
}

// Rounded, the first in the low half.
__device__ inline std::uint32_t pack_bf16(float low, float high) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}

// 2^x by the unit for it, within 2 units in the last place; what is below the normal numbers is 0.
__device__ inline float fast_exp2(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;\n" : "=f"(power) : "f"(x));
    return power;
}

// Two neighbours, 4-byte aligned.
__device__ inline std::uint32_t load_pair(const std::uint16_t* at) {
    return *reinterpret_cast<const std::uint32_t*>(at);
}
__device__ inline void store_pair(std::uint16_t* at, std::uint32_t pair) {
    *reinterpret_cast<std::uint32_t*>(at) = pair;
}

// 16 bytes at once, 16-byte aligned.
struct alignas(16) Sixteen {
    std::uint32_t part[4];
};
__device__ inline Sixteen load_sixteen(const void* at) {
    const uint4 read = *static_cast<const uint4*>(at);
    return {{read.x, read.y, read.z, read.w}};
}
__device__ inline void store_sixteen(void* at, const Sixteen& from) {
    *static_cast<uint4*>(at) = make_uint4(from.part[0], from.part[1], from.part[2], from.part[3]);
}
__device__ inline float float_of(std::uint32_t bits) {
    return __uint_as_float(bits);
}

// 16 bytes from memory into shared memory, or zeros; there after the thread's wait_for_copies(). Both ends
// 16-byte aligned.
__device__ inline void begin_copy(void* to, const void* from, bool zeros) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(zeros ? 0 : 16)
                 : "memory");
}
// The same of 4 bytes, 4-byte aligned.
__device__ inline void begin_copy_of_one(float* to, const float* from, bool zero) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;\n" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(zero ? 0 : 4)
                 : "memory");
}
__device__ inline void wait_for_copies() {
    asm volatile("cp.async.wait_all;\n" ::: "memory");
}

// Four matrices of 8 x 8 bf16 from shared memory by the warp together: lane 8 i + r says where row r of
// matrix i lies, 16-byte aligned, and gets of matrix i (lane / 4, 2 (lane % 4)) and its right neighbour, or
// of the matrix turned over. PTX ISA, ldmatrix.
template <bool turned>
__device__ inline void load_matrices(std::uint32_t (&to)[4], const std::uint16_t* row) {
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
    if constexpr (turned)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(at)
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(at)
                     : "memory");
}

// c (16, 8) += a (16, 16) b (16, 8) by the warp together, bf16 in, fp32 out. Lane = 4 g + t holds
// a: rows g, g + 8, g, g + 8 at columns 2t, 2t, 2t + 8, 2t + 8 and their right neighbours; b: rows 2t and 2t
// + 8 and their neighbours below, at column g; c: (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1). PTX
// ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
__device__ inline void mma_16x8x16(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};\n"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif

// The two types of an operand's numbers in memory, and the way between them and fp32.
struct Bf16 {
    std::uint16_t bits;
};
__device__ inline float widen(float x) {
    return x;
}
__device__ inline float widen(Bf16 x) {
    return from_bf16(x.bits);
}
template <class Number>
__device__ inline Number narrow(float x) {
    return x;
}
template <>
__device__ inline Bf16 narrow<Bf16>(float x) {
    return {to_bf16(x)};
}

// Eight neighbours of a thread, in 16-byte aligned memory.
__device__ inline void load_eight(float (&to)[8], const Bf16* from) {
    const Sixteen read = load_sixteen(from);
    for (unsigned i = 0; i < 4; ++i) {
        to[2 * i] = from_bf16(static_cast<std::uint16_t>(read.part[i] & 0xffffU));
        to[2 * i + 1] = from_bf16(static_cast<std::uint16_t>(read.part[i] >> 16));
    }
}
__device__ inline void load_eight(float (&to)[8], const float* from) {
    for (unsigned half = 0; half < 2; ++half) {
        const Sixteen read = load_sixteen(from + 4 * half);
        for (unsigned i = 0; i < 4; ++i) to[4 * half + i] = float_of(read.part[i]);
    }
}
__device__ inline void store_eight(Bf16* to, const float (&from)[8]) {
    Sixteen all;
    for (unsigned i = 0; i < 4; ++i) all.part[i] = pack_bf16(from[2 * i], from[2 * i + 1]);
    store_sixteen(to, all);
}

__device__ inline float warp_sum(float x) {
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
    return x;
}

__device__ inline double warp_sum(double x) {
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
    return x;
}

__device__ inline float warp_max(float x) {
    for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(kAllLanes, x, step));
    return x;
}

// The sum over the block's threads, at every thread; at most 1024 threads, whole warps. The order is fixed.
// `partial` is shared memory for a value a warp.
template <class T>
__device__ inline T block_sum(T x, T* partial) {
    const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
    x = warp_sum(x);
    __syncthreads();  // all have read what an earlier call left
    if (lane == 0) partial[warp] = x;
    __syncthreads();
    return warp_sum(lane < warps ? partial[lane] : T{0});
}

}  // namespace bscope::cuda
