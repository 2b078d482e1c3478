// Matrix products and linear layers on a stream: fused where cuBLASLt can, else the product followed by the
// operation of its own. Also copies and fills.
#include <algorithm>

#include "kernels/cuda/matmul.h"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/linear_products.h"

namespace bscope::cuda {

namespace {

// What is only read.
void* readable(BscopeConstOperand operand) {
    return const_cast<void*>(operand.data());
}

}  // namespace

void run(BscopeOps& ops, const BscopeCopyFloats& op) {
    BSCOPE_CUDA_CHECK(cudaMemcpyAsync(op.to, op.from, op.count * sizeof(float), cudaMemcpyDeviceToDevice,
                                      ops.stream.stream));
}

void run(BscopeOps& ops, const BscopeFillZero& op) {
    BSCOPE_CUDA_CHECK(cudaMemsetAsync(op.x, 0, op.count * sizeof(float), ops.stream.stream));
}

void run(BscopeOps& ops, const BscopeMatmul& op) {
    ops.matmul->run(op);
}

// The residual goes in as what is added to the product.
void run(BscopeOps& ops, const BscopeLinearForward& op) {
    const BscopeMatmul product = forwardProduct(op.y, op.x, op.weight, op.rows, op.in, op.out);
    if (!op.bias) {
        ops.matmul->run(product);
        return;
    }
    BscopeMatmul fused = product;
    fused.beta = op.residual ? 1.0F : 0.0F;
    if (ops.matmul->run(fused, Fused::Bias, readable(op.bias), nullptr, op.residual)) return;
    ops.matmul->run(product);
    if (op.residual)
        run(ops, BscopeAddBiasResidual{.y = op.y.fp32(),
                                       .bias = op.bias.fp32(),
                                       .residual = op.residual,
                                       .rows = op.rows,
                                       .columns = op.out});
    else
        run(ops, BscopeAddBias{.y = op.y, .bias = op.bias, .rows = op.rows, .columns = op.out});
}

void run(BscopeOps& ops, const BscopeLinearGeluForward& op) {
    if (ops.matmul->run(forwardProduct(op.y, op.x, op.weight, op.rows, op.in, op.out), Fused::BiasGelu,
                        readable(op.bias), op.hidden.data()))
        return;
    ops.matmul->run(forwardProduct(op.hidden, op.x, op.weight, op.rows, op.in, op.out));
    run(ops, BscopeBiasGeluForward{
                 .y = op.y, .x = op.hidden, .bias = op.bias, .rows = op.rows, .columns = op.out});
}

void run(BscopeOps& ops, const BscopeLinearBackwardInput& op) {
    ops.matmul->run(backwardInputProduct(op.dx, op.dy, op.weight, op.rows, op.in, op.out));
}

// The fused product reads all of `hidden` while it writes. Where the result takes its place, it would have to
// be copied there, which moves as many bytes as a kernel of our own that does the rest.
void run(BscopeOps& ops, const BscopeLinearGeluBackwardInput& op) {
    if (op.d_hidden.data() != op.hidden.data() &&
        ops.matmul->run(backwardInputProduct(op.d_hidden, op.dy, op.weight, op.rows, op.in, op.out),
                        Fused::GeluBackward, nullptr, readable(op.hidden)))
        return;
    ops.matmul->run(backwardInputProduct(op.work, op.dy, op.weight, op.rows, op.in, op.out));
    run(ops, BscopeGeluBackward{.dx = op.d_hidden, .dy = op.work, .x = op.hidden, .count = op.rows * op.in});
}

void run(BscopeOps& ops, const BscopeLinearBackwardWeight& op) {
    const BscopeMatmul product = backwardWeightProduct(op);
    if (!op.d_bias) {
        ops.matmul->run(product);
        return;
    }
    auto* const sums = static_cast<float*>(
        ops.scratch.reserve(std::max(op.out * sizeof(float), biasBackwardScratch(op.rows, op.out))));
    if (ops.matmul->run(product, Fused::RowSums, sums)) {
        run(ops, BscopeAdd{.y = op.d_bias, .x = sums, .count = op.out});
        return;
    }
    ops.matmul->run(product);
    run(ops, BscopeBiasBackward{.d_bias = op.d_bias, .dy = op.dy, .rows = op.rows, .columns = op.out});
}

}  // namespace bscope::cuda
