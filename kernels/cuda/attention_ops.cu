// Attention of the C interface, in the precision of its operations.
#include "kernels/cuda/attention_bf16.cuh"
#include "kernels/cuda/attention_fp32.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"

namespace bscope::cuda {

namespace {

BscopeError opAttentionForward(BscopeOps* ops, float* y, float* log_sums, const float* qkv, uint64_t B,
                               uint64_t T, uint64_t C, uint64_t heads) {
    return launched(ops, [&](const StreamLaunch& launch) {
        const AttentionShape shape{T, C, heads};
        if (ops->precision == BSCOPE_BF16)
            bf16::attention_forward(launch, y, log_sums, qkv, B, shape);
        else
            fp32::attention_forward(launch, y, log_sums, qkv, B, shape);
    });
}

BscopeError opAttentionBackward(BscopeOps* ops, float* d_qkv, const float* dy, const float* y,
                                const float* log_sums, const float* qkv, uint64_t B, uint64_t T, uint64_t C,
                                uint64_t heads) {
    return launched(ops, [&](const StreamLaunch& launch) {
        const AttentionShape shape{T, C, heads};
        void* const scratch = ops->scratch.reserve(attentionBackwardBytes(B, T, C, heads));
        if (ops->precision == BSCOPE_BF16)
            bf16::attention_backward(launch, d_qkv, dy, y, log_sums, qkv, B, shape, scratch);
        else
            fp32::attention_backward(launch, d_qkv, dy, y, log_sums, qkv, B, shape, scratch);
    });
}

}  // namespace

void addAttentionOps(BscopePlugin& plugin) {
    plugin.op_attention_forward = &opAttentionForward;
    plugin.op_attention_backward = &opAttentionBackward;
}

}  // namespace bscope::cuda
