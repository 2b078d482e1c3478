// The matrix products that linear layers are made of: for devices that fuse them with what comes behind, and
// for those that do not. W (out, in), x (rows, in), y (rows, out).
#pragma once

#include <cstdint>

#include "kernels/operations.h"

namespace bscope {

// y = x W^T
inline BscopeMatmul forwardProduct(Operand y, ConstOperand x, ConstOperand weight, std::uint64_t rows,
                                   std::uint64_t in, std::uint64_t out) {
    return {.c = y,
            .a = x,
            .b = weight,
            .transpose_a = Transpose::No,
            .transpose_b = Transpose::Yes,
            .rows = rows,
            .columns = out,
            .inner = in,
            .alpha = 1.0F,
            .beta = 0.0F,
            .lda = in,
            .ldb = in,
            .ldc = out};
}

// dx = dy W
inline BscopeMatmul backwardInputProduct(Operand dx, ConstOperand dy, ConstOperand weight, std::uint64_t rows,
                                         std::uint64_t in, std::uint64_t out) {
    return {.c = dx,
            .a = dy,
            .b = weight,
            .transpose_a = Transpose::No,
            .transpose_b = Transpose::No,
            .rows = rows,
            .columns = in,
            .inner = out,
            .alpha = 1.0F,
            .beta = 0.0F,
            .lda = out,
            .ldb = in,
            .ldc = in};
}

// dW += dy^T x
inline BscopeMatmul backwardWeightProduct(const BscopeLinearBackwardWeight& op) {
    return {.c = op.d_weight,
            .a = op.dy,
            .b = op.x,
            .transpose_a = Transpose::Yes,
            .transpose_b = Transpose::No,
            .rows = op.out,
            .columns = op.in,
            .inner = op.rows,
            .alpha = 1.0F,
            .beta = 1.0F,
            .lda = op.out,
            .ldb = op.in,
            .ldc = op.in};
}

}  // namespace bscope
