// Kernels that treat every number by itself, and AdamW. A function here is a launch: `launch` is a stream's,
// or the emulation's. Shapes as in kernels/operations.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kernels/cuda/operands.cuh"
#include "kernels/cuda/rows.cuh"
#include "kernels/operations.h"

namespace bscope::cuda {

__device__ inline Size elementIndex() {
    return static_cast<Size>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline float gelu_inner(float x) {  // tanh of the polynomial
    return tanhf(0.7978845608028654F * (x + 0.044715F * x * x * x));
}

__device__ inline float gelu(float x) {
    return 0.5F * x * (1.0F + gelu_inner(x));
}

__device__ inline float gelu_derivative(float x) {
    const float t = gelu_inner(x);
    return 0.5F * (1.0F + t) +
           0.5F * x * (1.0F - t * t) * 0.7978845608028654F * (1.0F + 3.0F * 0.044715F * x * x);
}

static __global__ void add_kernel(float* y, const float* x, Size count) {
    const Size i = elementIndex();
    if (i < count) y[i] += x[i];
}

template <class Number>
__global__ void add_bias_kernel(Number* y, const Number* bias, Size columns) {
    const Size column = columnIndex(), i = rowIndex() * columns + column;
    if (column < columns) y[i] = narrow<Number>(widen(y[i]) + widen(bias[column]));
}

// The same eight at a time; here and below for bf16, where `inEights` says so.
static __global__ void add_bias_eights_kernel(Bf16* y, const Bf16* bias, Size columns) {
    const Size column = 8 * columnIndex();
    if (column >= columns) return;
    Bf16* const at = y + rowIndex() * columns + column;
    float sum[8], more[8];
    load_eight(sum, at);
    load_eight(more, bias + column);
    for (unsigned i = 0; i < 8; ++i) sum[i] += more[i];
    store_eight(at, sum);
}

static __global__ void add_bias_residual_kernel(float* y, const float* bias, const float* residual,
                                                Size columns) {
    const Size column = columnIndex(), i = rowIndex() * columns + column;
    if (column < columns) y[i] += bias[column] + residual[i];
}

// y is made of the x that is stored.
template <class Number>
__global__ void bias_gelu_kernel(Number* y, Number* x, const Number* bias, Size columns) {
    const Size column = columnIndex(), i = rowIndex() * columns + column;
    if (column >= columns) return;
    if (bias) x[i] = narrow<Number>(widen(x[i]) + widen(bias[column]));
    y[i] = narrow<Number>(gelu(widen(x[i])));
}

static __global__ void bias_gelu_eights_kernel(Bf16* y, Bf16* x, const Bf16* bias, Size columns) {
    const Size column = 8 * columnIndex();
    if (column >= columns) return;
    const Size first = rowIndex() * columns + column;
    float value[8];
    load_eight(value, x + first);
    if (bias) {
        float more[8];
        load_eight(more, bias + column);
        for (unsigned i = 0; i < 8; ++i) value[i] = widen(narrow<Bf16>(value[i] + more[i]));
        store_eight(x + first, value);
    }
    for (float& each : value) each = gelu(each);
    store_eight(y + first, value);
}

template <class Number>
__global__ void gelu_backward_kernel(Number* dx, const Number* dy, const Number* x, Size count) {
    const Size i = elementIndex();
    if (i < count) dx[i] = narrow<Number>(widen(dy[i]) * gelu_derivative(widen(x[i])));
}

static __global__ void gelu_backward_eights_kernel(Bf16* dx, const Bf16* dy, const Bf16* x, Size count) {
    const Size first = 8 * elementIndex();
    if (first + 8 <= count) {
        float gradient[8], value[8];
        load_eight(gradient, dy + first);
        load_eight(value, x + first);
        for (unsigned i = 0; i < 8; ++i) gradient[i] *= gelu_derivative(value[i]);
        store_eight(dx + first, gradient);
    } else {
        for (Size i = first; i < count; ++i)
            dx[i] = narrow<Bf16>(widen(dy[i]) * gelu_derivative(widen(x[i])));
    }
}

// (rows, columns) with a leading dimension to bf16 without gaps.
static __global__ void to_bf16_kernel(Bf16* to, const float* from, Size columns, Size ld) {
    const Size column = columnIndex();
    if (column < columns) to[rowIndex() * columns + column] = narrow<Bf16>(from[rowIndex() * ld + column]);
}

// Without gaps.
static __global__ void eights_to_bf16_kernel(Bf16* to, const float* from, Size count) {
    const Size first = 8 * elementIndex();
    if (first + 8 <= count) {
        float value[8];
        load_eight(value, from + first);
        store_eight(to + first, value);
    } else {
        for (Size i = first; i < count; ++i) to[i] = narrow<Bf16>(from[i]);
    }
}

struct AdamWFactors {
    float gradient_scale, beta1, beta2, epsilon, decay, rate, root_correction;
};

// Bias corrections are powers, worked out once in double.
inline AdamWFactors adamwFactors(const BscopeAdamWStep& step) {
    const auto correction = [&](float beta) {
        return 1.0 - std::pow(static_cast<double>(beta), static_cast<double>(step.step));
    };
    return {step.gradient_scale,
            step.beta1,
            step.beta2,
            step.epsilon,
            1.0F - step.learning_rate * step.weight_decay,
            static_cast<float>(static_cast<double>(step.learning_rate) / correction(step.beta1)),
            static_cast<float>(std::sqrt(correction(step.beta2)))};
}

static __global__ void adamw_kernel(float* weight, float* m, float* v, const float* gradient, Size count,
                                    AdamWFactors f) {
    const Size i = elementIndex();
    if (i >= count) return;
    const float g = gradient[i] * f.gradient_scale;
    const float new_m = f.beta1 * m[i] + (1.0F - f.beta1) * g;
    const float new_v = f.beta2 * v[i] + (1.0F - f.beta2) * g * g;
    m[i] = new_m;
    v[i] = new_v;
    weight[i] = weight[i] * f.decay - f.rate * new_m / (sqrtf(new_v) / f.root_correction + f.epsilon);
}

template <class Launch, class Kernel, class... Arguments>
void launchElements(const Launch& launch, Size count, Kernel kernel, Arguments... arguments) {
    if (count > 0)
        launch({static_cast<unsigned>(divideUp(count, kElementThreads)), 1}, kElementThreads, kernel,
               arguments...);
}

// Memory in which a thread may take sixteen bytes at once.
inline bool inEights(std::initializer_list<const void*> pointers) {
    for (const void* each : pointers)
        if (reinterpret_cast<std::uintptr_t>(each) % sizeof(Sixteen) != 0) return false;
    return true;
}

template <class Launch>
void add(const Launch& launch, float* y, const float* x, Size count) {
    launchElements(launch, count, &add_kernel, y, x, count);
}

template <class Launch, class Number>
void add_bias(const Launch& launch, Number* y, const Number* bias, Size rows, Size columns) {
    if constexpr (std::is_same_v<Number, Bf16>)
        if (columns % 8 == 0 && inEights({y, bias}))
            return launchRows(launch, rows, columns / 8, &add_bias_eights_kernel, y, bias, columns);
    launchRows(launch, rows, columns, &add_bias_kernel<Number>, y, bias, columns);
}

template <class Launch>
void add_bias_residual(const Launch& launch, float* y, const float* bias, const float* residual, Size rows,
                       Size columns) {
    launchRows(launch, rows, columns, &add_bias_residual_kernel, y, bias, residual, columns);
}

template <class Launch, class Number>
void bias_gelu_forward(const Launch& launch, Number* y, Number* x, const Number* bias, Size rows,
                       Size columns) {
    if constexpr (std::is_same_v<Number, Bf16>)
        if (columns % 8 == 0 && inEights({y, x, bias}))
            return launchRows(launch, rows, columns / 8, &bias_gelu_eights_kernel, y, x, bias, columns);
    launchRows(launch, rows, columns, &bias_gelu_kernel<Number>, y, x, bias, columns);
}

template <class Launch, class Number>
void gelu_backward(const Launch& launch, Number* dx, const Number* dy, const Number* x, Size count) {
    if constexpr (std::is_same_v<Number, Bf16>)
        if (inEights({dx, dy, x}))
            return launchElements(launch, divideUp(count, 8), &gelu_backward_eights_kernel, dx, dy, x, count);
    launchElements(launch, count, &gelu_backward_kernel<Number>, dx, dy, x, count);
}

template <class Launch>
void convert_to_bf16(const Launch& launch, Bf16* to, const float* from, Size rows, Size columns, Size ld) {
    const Size count = rows * columns;
    if (ld == columns && inEights({to, from}))
        launchElements(launch, divideUp(count, 8), &eights_to_bf16_kernel, to, from, count);
    else
        launchRows(launch, rows, columns, &to_bf16_kernel, to, from, columns, ld);
}

// The operations: `scratch` reserves device memory.
template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeAdd& op) {
    add(launch, op.y, op.x, op.count);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeAddBias& op) {
    withNumber(op.y, [&](auto number) {
        using Number = decltype(number);
        add_bias(launch, numbers<Number>(op.y), numbers<Number>(op.bias), op.rows, op.columns);
    });
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeAddBiasResidual& op) {
    add_bias_residual(launch, op.y, op.bias, op.residual, op.rows, op.columns);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeBiasGeluForward& op) {
    withNumber(op.y, [&](auto number) {
        using Number = decltype(number);
        bias_gelu_forward(launch, numbers<Number>(op.y), numbers<Number>(op.x), numbers<Number>(op.bias),
                          op.rows, op.columns);
    });
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeGeluBackward& op) {
    withNumber(op.dx, [&](auto number) {
        using Number = decltype(number);
        gelu_backward(launch, numbers<Number>(op.dx), numbers<Number>(op.dy), numbers<Number>(op.x),
                      op.count);
    });
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeAdamW& op) {
    launchElements(launch, op.count, &adamw_kernel, op.weight, op.m, op.v, op.gradient, op.count,
                   adamwFactors(op.step));
}

}  // namespace bscope::cuda
