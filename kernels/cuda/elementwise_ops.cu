// The element-wise operations of the C interface.
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"

namespace bscope::cuda {

namespace {

BscopeError opAdd(BscopeOps* ops, float* y, const float* x, uint64_t count) {
    return launched(ops, [&](const StreamLaunch& launch) { add(launch, y, x, count); });
}

BscopeError opAddBias(BscopeOps* ops, float* y, const float* bias, uint64_t rows, uint64_t columns) {
    return launched(ops, [&](const StreamLaunch& launch) {
        add_bias(launch, y, bias, static_cast<const float*>(nullptr), rows, columns);
    });
}

BscopeError opAddBiasResidual(BscopeOps* ops, float* y, const float* bias, const float* residual,
                              uint64_t rows, uint64_t columns) {
    return launched(ops,
                    [&](const StreamLaunch& launch) { add_bias(launch, y, bias, residual, rows, columns); });
}

BscopeError opBiasGeluForward(BscopeOps* ops, float* y, float* x, const float* bias, uint64_t rows,
                              uint64_t columns) {
    return launched(
        ops, [&](const StreamLaunch& launch) { bias_gelu_forward(launch, y, x, bias, rows, columns); });
}

BscopeError opGeluBackward(BscopeOps* ops, float* dx, const float* dy, const float* x, uint64_t count) {
    return launched(ops, [&](const StreamLaunch& launch) { gelu_backward(launch, dx, dy, x, count); });
}

BscopeError opAdamWStep(BscopeOps* ops, float* weight, float* m, float* v, const float* gradient,
                        uint64_t count, const BscopeAdamW* step) {
    return launched(ops, [&](const StreamLaunch& launch) {
        adamw_step(launch, weight, m, v, gradient, count, adamwFactors(*step));
    });
}

}  // namespace

void launchToBf16(cudaStream_t stream, std::uint16_t* to, const float* from, std::size_t rows,
                  std::size_t columns, std::size_t ld) {
    convert_to_bf16(StreamLaunch{stream}, to, from, rows, columns, ld);
}

void launchGeluBackward(cudaStream_t stream, float* dx, const float* dy, const float* x, std::size_t count) {
    gelu_backward(StreamLaunch{stream}, dx, dy, x, count);
}

void launchBiasGelu(cudaStream_t stream, float* y, float* x, const float* bias, std::size_t rows,
                    std::size_t columns) {
    bias_gelu_forward(StreamLaunch{stream}, y, x, bias, rows, columns);
}

void launchAddBias(cudaStream_t stream, float* y, const float* bias, const float* residual, std::size_t rows,
                   std::size_t columns) {
    add_bias(StreamLaunch{stream}, y, bias, residual, rows, columns);
}

void launchAdd(cudaStream_t stream, float* y, const float* x, std::size_t count) {
    add(StreamLaunch{stream}, y, x, count);
}

void addElementwiseOps(BscopePlugin& plugin) {
    plugin.op_add = &opAdd;
    plugin.op_add_bias = &opAddBias;
    plugin.op_add_bias_residual = &opAddBiasResidual;
    plugin.op_bias_gelu_forward = &opBiasGeluForward;
    plugin.op_gelu_backward = &opGeluBackward;
    plugin.op_adamw_step = &opAdamWStep;
}

}  // namespace bscope::cuda
