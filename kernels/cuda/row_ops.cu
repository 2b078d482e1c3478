// The operations of the C interface that work on whole rows: sums, LayerNorm, embedding, cross-entropy.
#include "kernels/cuda/layernorm.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"
#include "kernels/cuda/tokens.cuh"

namespace bscope::cuda {

namespace {

BscopeError opSumOfSquares(BscopeOps* ops, double* result, const float* x, uint64_t count) {
    return launched(ops, [&](const StreamLaunch& launch) {
        sum_of_squares(launch, result, x, count, ops->scratch.reserve(sumOfSquaresBytes()));
    });
}

BscopeError opBiasBackward(BscopeOps* ops, float* d_bias, BscopeConstOperand dy, uint64_t rows,
                           uint64_t columns) {
    return launched(ops, [&](const StreamLaunch& launch) {
        launchBiasBackward(launch.stream, d_bias, dy, rows, columns,
                           ops->scratch.reserve(biasBackwardBytes(rows, columns)));
    });
}

BscopeError opLayernormForward(BscopeOps* ops, BscopeOperand y, float* mean, float* rstd, const float* x,
                               const float* weight, const float* bias, uint64_t rows, uint64_t C) {
    return launched(ops, [&](const StreamLaunch& launch) {
        withNumber(y.precision, [&](auto number) {
            layernorm_forward(launch, numbers<decltype(number)>(y), mean, rstd, x, weight, bias, rows, C);
        });
    });
}

BscopeError opLayernormBackward(BscopeOps* ops, float* dx, float* weight_sum, float* bias_sum,
                                const float* dy, const float* x, const float* mean, const float* rstd,
                                const float* weight, const float* d_residual, uint64_t rows, uint64_t C) {
    return launched(ops, [&](const StreamLaunch& launch) {
        layernorm_backward(launch, dx, weight_sum, bias_sum, dy, x, mean, rstd, weight, d_residual, rows, C,
                           ops->scratch.reserve(layernormBackwardBytes(rows, C)));
    });
}

BscopeError opEmbeddingForward(BscopeOps* ops, float* y, const int32_t* tokens, const float* token_weight,
                               const float* position_weight, uint64_t B, uint64_t T, uint64_t C) {
    return launched(ops, [&](const StreamLaunch& launch) {
        embedding_forward(launch, y, tokens, token_weight, position_weight, B, T, C);
    });
}

BscopeError opEmbeddingBackward(BscopeOps* ops, float* d_token, float* d_position, const float* dy,
                                const int32_t* tokens, uint64_t B, uint64_t T, uint64_t C) {
    return launched(ops, [&](const StreamLaunch& launch) {
        embedding_backward(launch, d_token, d_position, dy, tokens, B, T, C);
    });
}

BscopeError opSoftmaxCrossEntropy(BscopeOps* ops, double* mean_loss, float* logits, const int32_t* targets,
                                  uint64_t rows, uint64_t V, float gradient_scale) {
    return launched(ops, [&](const StreamLaunch& launch) {
        softmax_cross_entropy(launch, mean_loss, logits, targets, rows, V, gradient_scale,
                              ops->scratch.reserve(crossEntropyBytes(rows)));
    });
}

}  // namespace

std::size_t biasBackwardScratch(std::size_t rows, std::size_t columns) {
    return biasBackwardBytes(rows, columns);
}

void launchBiasBackward(cudaStream_t stream, float* d_bias, BscopeConstOperand dy, std::size_t rows,
                        std::size_t columns, void* scratch) {
    withNumber(dy.precision, [&](auto number) {
        bias_backward(StreamLaunch{stream}, d_bias, numbers<decltype(number)>(dy), rows, columns, scratch);
    });
}

void addRowOps(BscopePlugin& plugin) {
    plugin.op_sum_of_squares = &opSumOfSquares;
    plugin.op_bias_backward = &opBiasBackward;
    plugin.op_layernorm_forward = &opLayernormForward;
    plugin.op_layernorm_backward = &opLayernormBackward;
    plugin.op_embedding_forward = &opEmbeddingForward;
    plugin.op_embedding_backward = &opEmbeddingBackward;
    plugin.op_softmax_cross_entropy = &opSoftmaxCrossEntropy;
}

}  // namespace bscope::cuda
