// Attention in the precision of its operands.
#pragma once

#include "kernels/cuda/attention_bf16.cuh"
#include "kernels/cuda/attention_fp32.cuh"
#include "kernels/cuda/operands.cuh"
#include "kernels/operations.h"

namespace bscope::cuda {

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeAttentionForward& op) {
    const AttentionShape shape{op.T, op.C, op.heads};
    if (op.y.precision() == Precision::Bf16)
        bf16::attention_forward(launch, numbers<Bf16>(op.y), op.kept, numbers<Bf16>(op.qkv), op.B, shape);
    else
        fp32::attention_forward(launch, numbers<float>(op.y), op.kept, numbers<float>(op.qkv), op.B, shape);
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeAttentionBackward& op) {
    const AttentionShape shape{op.T, op.C, op.heads};
    void* const workspace = scratch.reserve(attentionBackwardBytes(op.B, op.T, op.C, op.heads));
    if (op.y.precision() == Precision::Bf16)
        bf16::attention_backward(launch, numbers<Bf16>(op.d_qkv), numbers<Bf16>(op.dy), numbers<Bf16>(op.y),
                                 op.kept, numbers<Bf16>(op.qkv), op.B, shape, workspace);
    else
        fp32::attention_backward(launch, numbers<float>(op.d_qkv), numbers<float>(op.dy),
                                 numbers<float>(op.y), op.kept, numbers<float>(op.qkv), op.B, shape,
                                 workspace);
}

}  // namespace bscope::cuda
