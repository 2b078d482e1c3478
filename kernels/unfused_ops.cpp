#include "kernels/unfused_ops.h"

#include "kernels/linear_products.h"

namespace bscope {

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
    run(backwardInputProduct(op.dx, op.dy, op.weight, op.rows, op.in, op.out));
}

void UnfusedOps::run(const LinearGeluBackwardInput& op) {
    run(backwardInputProduct(op.work, op.dy, op.weight, op.rows, op.in, op.out));
    run(GeluBackward{.dx = op.d_hidden, .dy = op.work, .x = op.hidden, .count = op.rows * op.in});
}

void UnfusedOps::run(const LinearBackwardWeight& op) {
    run(backwardWeightProduct(op));
    if (op.d_bias) run(BiasBackward{.d_bias = op.d_bias, .dy = op.dy, .rows = op.rows, .columns = op.out});
}

}  // namespace bscope
