// The three matrix products of a Linear layer y = x W^T with W (out, in), by name. Inline; any layer.
#pragma once

#include <cstddef>

#include "kernels/ops.h"

namespace bscope {

// y (rows, out) = x (rows, in) W^T
inline void linearForward(Ops& ops, float* y, const float* x, const float* weight, std::size_t rows,
                          std::size_t in, std::size_t out) {
    ops.matmul(y, x, weight, Transpose::No, Transpose::Yes, rows, out, in, 1.0F, 0.0F, in, in, out);
}

// dx (rows, in) = dy (rows, out) W
inline void linearBackwardInput(Ops& ops, float* dx, const float* dy, const float* weight, std::size_t rows,
                                std::size_t in, std::size_t out) {
    ops.matmul(dx, dy, weight, Transpose::No, Transpose::No, rows, in, out, 1.0F, 0.0F, out, in, in);
}

// dW (out, in) += dy^T x
inline void linearBackwardWeight(Ops& ops, float* weight_gradient, const float* dy, const float* x,
                                 std::size_t rows, std::size_t in, std::size_t out) {
    ops.matmul(weight_gradient, dy, x, Transpose::Yes, Transpose::No, out, in, rows, 1.0F, 1.0F, out, in, in);
}

}  // namespace bscope
