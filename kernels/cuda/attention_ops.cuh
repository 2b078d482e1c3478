// Attention in the precision of its operands.
#pragma once

#include "kernels/cuda/attention_bf16.cuh"
#include "kernels/cuda/attention_fp32.cuh"
#include "kernels/cuda/operands.cuh"
#include "kernels/cuda/segment_attention.cuh"
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

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch&, const BscopeSegmentAttentionForward& op) {
    const SegmentShape shape{op.T, op.C, op.heads, op.first, op.tokens};
    withNumber(op.y, [&](auto number) {
        using Number = decltype(number);
        segmentAttentionForward(launch, numbers<Number>(op.y), op.kept, numbers<Number>(op.qkv), op.B, shape);
    });
}

template <class Launch, class Scratch>
void run(const Launch& launch, Scratch& scratch, const BscopeSegmentAttentionBackward& op) {
    const SegmentShape shape{op.T, op.C, op.heads, op.first, op.tokens};
    auto* const delta = static_cast<float*>(scratch.reserve(segmentAttentionBackwardBytes(op.B, shape)));
    withNumber(op.y, [&](auto number) {
        using Number = decltype(number);
        segmentAttentionBackward(launch, op.d_qkv, numbers<Number>(op.dy), numbers<Number>(op.y), op.kept,
                                 numbers<Number>(op.qkv), op.B, shape, delta);
    });
}

}  // namespace bscope::cuda
