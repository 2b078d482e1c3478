// The element-wise operations of the C interface.
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"

namespace bscope::cuda {

namespace {

BscopeError opAdd(BscopeOps* ops, float* y, const float* x, uint64_t count) {
    return launched(ops, [&](const StreamLaunch& launch) { add(launch, y, x, count); });
}

BscopeError opRound(BscopeOps* ops, BscopeOperand to, const float* from, uint64_t count) {
    return launched(
        ops, [&](const StreamLaunch& launch) { launchRound(launch.stream, to, from, 1, count, count); });
}

BscopeError opAddBias(BscopeOps* ops, BscopeOperand y, BscopeConstOperand bias, uint64_t rows,
                      uint64_t columns) {
    return launched(
        ops, [&](const StreamLaunch& launch) { launchAddBias(launch.stream, y, bias, rows, columns); });
}

BscopeError opAddBiasResidual(BscopeOps* ops, float* y, const float* bias, const float* residual,
                              uint64_t rows, uint64_t columns) {
    return launched(ops, [&](const StreamLaunch& launch) {
        launchAddBiasResidual(launch.stream, y, bias, residual, rows, columns);
    });
}

BscopeError opBiasGeluForward(BscopeOps* ops, BscopeOperand y, BscopeOperand x, BscopeConstOperand bias,
                              uint64_t rows, uint64_t columns) {
    return launched(
        ops, [&](const StreamLaunch& launch) { launchBiasGelu(launch.stream, y, x, bias, rows, columns); });
}

BscopeError opGeluBackward(BscopeOps* ops, BscopeOperand dx, BscopeConstOperand dy, BscopeConstOperand x,
                           uint64_t count) {
    return launched(ops,
                    [&](const StreamLaunch& launch) { launchGeluBackward(launch.stream, dx, dy, x, count); });
}

BscopeError opAdamWStep(BscopeOps* ops, float* weight, float* m, float* v, const float* gradient,
                        uint64_t count, const BscopeAdamW* step) {
    return launched(ops, [&](const StreamLaunch& launch) {
        adamw_step(launch, weight, m, v, gradient, count, adamwFactors(*step));
    });
}

}  // namespace

void launchRound(cudaStream_t stream, BscopeOperand to, const float* from, std::size_t rows,
                 std::size_t columns, std::size_t ld) {
    if (to.precision == BSCOPE_BF16)
        convert_to_bf16(StreamLaunch{stream}, static_cast<Bf16*>(to.data), from, rows, columns, ld);
    else
        BSCOPE_CUDA_CHECK(cudaMemcpy2DAsync(to.data, columns * sizeof(float), from, ld * sizeof(float),
                                            columns * sizeof(float), rows, cudaMemcpyDeviceToDevice, stream));
}

void launchGeluBackward(cudaStream_t stream, BscopeOperand dx, BscopeConstOperand dy, BscopeConstOperand x,
                        std::size_t count) {
    withNumber(dx.precision, [&](auto number) {
        using Number = decltype(number);
        gelu_backward(StreamLaunch{stream}, numbers<Number>(dx), numbers<Number>(dy), numbers<Number>(x),
                      count);
    });
}

void launchBiasGelu(cudaStream_t stream, BscopeOperand y, BscopeOperand x, BscopeConstOperand bias,
                    std::size_t rows, std::size_t columns) {
    withNumber(y.precision, [&](auto number) {
        using Number = decltype(number);
        bias_gelu_forward(StreamLaunch{stream}, numbers<Number>(y), numbers<Number>(x), numbers<Number>(bias),
                          rows, columns);
    });
}

void launchAddBias(cudaStream_t stream, BscopeOperand y, BscopeConstOperand bias, std::size_t rows,
                   std::size_t columns) {
    withNumber(y.precision, [&](auto number) {
        using Number = decltype(number);
        add_bias(StreamLaunch{stream}, numbers<Number>(y), numbers<Number>(bias), rows, columns);
    });
}

void launchAddBiasResidual(cudaStream_t stream, float* y, const float* bias, const float* residual,
                           std::size_t rows, std::size_t columns) {
    add_bias_residual(StreamLaunch{stream}, y, bias, residual, rows, columns);
}

void launchAdd(cudaStream_t stream, float* y, const float* x, std::size_t count) {
    add(StreamLaunch{stream}, y, x, count);
}

void addElementwiseOps(BscopePlugin& plugin) {
    plugin.op_add = &opAdd;
    plugin.op_round = &opRound;
    plugin.op_add_bias = &opAddBias;
    plugin.op_add_bias_residual = &opAddBiasResidual;
    plugin.op_bias_gelu_forward = &opBiasGeluForward;
    plugin.op_gelu_backward = &opGeluBackward;
    plugin.op_adamw_step = &opAdamWStep;
}

}  // namespace bscope::cuda
