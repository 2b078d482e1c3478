#include "kernels/unfused_ops.h"

namespace bscope {

namespace {

// y (rows, out) = x W^T
Matmul forwardProduct(Operand y, ConstOperand x, ConstOperand weight, std::size_t rows, std::size_t in,
                      std::size_t out) {
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

}  // namespace

void UnfusedOps::run(const LinearForward& op) {
    run(forwardProduct(op.y, op.x, op.weight, op.rows, op.in, op.out));
    if (op.residual)
        run(AddBiasResidual{.y = op.y.fp32(),
                            .bias = op.bias.fp32(),
                            .residual = op.residual,
                            .rows = op.rows,
                            .columns = op.out});
    else if (op.bias)
        run(AddBias{.y = op.y, .bias = op.bias, .rows = op.rows, .columns = op.out});
}

void UnfusedOps::run(const LinearGeluForward& op) {
    run(forwardProduct(op.hidden, op.x, op.weight, op.rows, op.in, op.out));
    run(BiasGeluForward{.y = op.y, .x = op.hidden, .bias = op.bias, .rows = op.rows, .columns = op.out});
}

void UnfusedOps::run(const LinearBackwardInput& op) {
    run(Matmul{.c = op.dx,
               .a = op.dy,
               .b = op.weight,
               .transpose_a = Transpose::No,
               .transpose_b = Transpose::No,
               .rows = op.rows,
               .columns = op.in,
               .inner = op.out,
               .alpha = 1.0F,
               .beta = 0.0F,
               .lda = op.out,
               .ldb = op.in,
               .ldc = op.in});
}

void UnfusedOps::run(const LinearGeluBackwardInput& op) {
    run(LinearBackwardInput{
        .dx = op.work, .dy = op.dy, .weight = op.weight, .rows = op.rows, .in = op.in, .out = op.out});
    run(GeluBackward{.dx = op.d_hidden, .dy = op.work, .x = op.hidden, .count = op.rows * op.in});
}

void UnfusedOps::run(const LinearBackwardWeight& op) {
    run(Matmul{.c = op.d_weight,
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
               .ldc = op.in});
    if (op.d_bias) run(BiasBackward{.d_bias = op.d_bias, .dy = op.dy, .rows = op.rows, .columns = op.out});
}

}  // namespace bscope
