// Attention of the C interface, in the precision of its operands.
#include "kernels/cuda/attention_bf16.cuh"
#include "kernels/cuda/attention_fp32.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"

namespace bscope::cuda {

namespace {

BscopeError opAttentionForward(BscopeOps* ops, BscopeOperand y, float* log_sums, BscopeConstOperand qkv,
                               uint64_t B, uint64_t T, uint64_t C, uint64_t heads) {
    return launched(ops, [&](const StreamLaunch& launch) {
        const AttentionShape shape{T, C, heads};
        if (y.precision == BSCOPE_BF16)
            bf16::attention_forward(launch, numbers<Bf16>(y), log_sums, numbers<Bf16>(qkv), B, shape);
        else
            fp32::attention_forward(launch, numbers<float>(y), log_sums, numbers<float>(qkv), B, shape);
    });
}

BscopeError opAttentionBackward(BscopeOps* ops, BscopeOperand d_qkv, BscopeConstOperand dy,
                                BscopeConstOperand y, const float* log_sums, BscopeConstOperand qkv,
                                uint64_t B, uint64_t T, uint64_t C, uint64_t heads) {
    return launched(ops, [&](const StreamLaunch& launch) {
        const AttentionShape shape{T, C, heads};
        void* const scratch = ops->scratch.reserve(attentionBackwardBytes(B, T, C, heads));
        if (y.precision == BSCOPE_BF16)
            bf16::attention_backward(launch, numbers<Bf16>(d_qkv), numbers<Bf16>(dy), numbers<Bf16>(y),
                                     log_sums, numbers<Bf16>(qkv), B, shape, scratch);
        else
            fp32::attention_backward(launch, numbers<float>(d_qkv), numbers<float>(dy), numbers<float>(y),
                                     log_sums, numbers<float>(qkv), B, shape, scratch);
    });
}

}  // namespace

void addAttentionOps(BscopePlugin& plugin) {
    plugin.op_attention_forward = &opAttentionForward;
    plugin.op_attention_backward = &opAttentionBackward;
}

}  // namespace bscope::cuda
