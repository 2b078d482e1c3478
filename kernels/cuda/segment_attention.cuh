// Attention of a segment of each sample, which looks at the keys and values of the segments before it as
// well; formulas as in attention.cuh. For checks rather than for speed: a warp owns a row (a query, or a key
// in the second backward kernel), walks the other side number by number, and adds up in fp32 in one order.
#pragma once

#include "kernels/cuda/attention.cuh"
#include "kernels/cuda/operands.cuh"

namespace bscope::cuda {

struct SegmentShape {
    Size T, C, heads, first, tokens;
};

constexpr unsigned kSegmentWarps = 4;

// A warp's row: of the head of blockIdx.x, whose q, k, v, y and log sums begin there.
struct SegmentRow {
    Size qkv, y, log_sum, row;
};
__device__ inline SegmentRow segmentRow(const SegmentShape& shape, unsigned d) {
    const Size sample = blockIdx.x / shape.heads, head = blockIdx.x % shape.heads;
    return {sample * shape.tokens * 3 * shape.C + head * d, sample * shape.T * shape.C + head * d,
            static_cast<Size>(blockIdx.x) * shape.T,
            static_cast<Size>(blockIdx.y) * kSegmentWarps + threadIdx.x / kWarp};
}

// A row's numbers, d / 32 a lane.
template <unsigned d>
struct OfLane {
    float part[d / kWarp] = {};

    template <class Number>
    __device__ void load(const Number* row) {
        for (unsigned c = 0; c < d / kWarp; ++c) part[c] = widen(row[c * kWarp + threadIdx.x % kWarp]);
    }
    // The same for all lanes.
    template <class Number>
    __device__ float dot(const Number* row) const {
        float sum = 0.0F;
        for (unsigned c = 0; c < d / kWarp; ++c) sum += part[c] * widen(row[c * kWarp + threadIdx.x % kWarp]);
        return warp_sum(sum);
    }
    template <class Number>
    __device__ void add(float weight, const Number* row) {
        for (unsigned c = 0; c < d / kWarp; ++c)
            part[c] += weight * widen(row[c * kWarp + threadIdx.x % kWarp]);
    }
    __device__ void addTo(float* row) const {
        for (unsigned c = 0; c < d / kWarp; ++c) row[c * kWarp + threadIdx.x % kWarp] += part[c];
    }
};

template <class Number, unsigned d>
__global__ void segment_attention_forward_kernel(Number* y, float* log_sums, const Number* qkv,
                                                 SegmentShape shape, float scale) {
    const SegmentRow at = segmentRow(shape, d);
    if (at.row >= shape.T) return;  // a whole warp
    const Size stride = 3 * shape.C, own = shape.first + at.row;
    const Number* const keys = qkv + at.qkv + shape.C;
    const Number* const values = keys + shape.C;
    OfLane<d> query, out;
    query.load(qkv + at.qkv + own * stride);
    float greatest = -INFINITY, sum = 0.0F;
    for (Size key = 0; key <= own; ++key) {
        const float score = scale * query.dot(keys + key * stride);
        const float now = fmaxf(greatest, score), fade = expf(greatest - now), p = expf(score - now);
        for (float& number : out.part) number *= fade;
        sum = sum * fade + p;
        greatest = now;
        out.add(p, values + key * stride);
    }
    Number* const to = y + at.y + at.row * shape.C + threadIdx.x % kWarp;
    for (unsigned c = 0; c < d / kWarp; ++c) to[c * kWarp] = narrow<Number>(out.part[c] / sum);
    if (threadIdx.x % kWarp == 0) log_sums[at.log_sum + at.row] = greatest + logf(sum);
}

// Leaves delta (B, heads, T) for the kernel after it.
template <class Number, unsigned d>
__global__ void segment_attention_dq_kernel(float* d_qkv, float* delta, const Number* dy, const Number* y,
                                            const float* log_sums, const Number* qkv, SegmentShape shape,
                                            float scale) {
    const SegmentRow at = segmentRow(shape, d);
    if (at.row >= shape.T) return;  // a whole warp
    const Size stride = 3 * shape.C, own = shape.first + at.row, of_y = at.y + at.row * shape.C;
    const Number* const keys = qkv + at.qkv + shape.C;
    const Number* const values = keys + shape.C;
    OfLane<d> query, d_out, d_query;
    query.load(qkv + at.qkv + own * stride);
    d_out.load(dy + of_y);
    const float of_row = d_out.dot(y + of_y), log_sum = log_sums[at.log_sum + at.row];
    for (Size key = 0; key <= own; ++key) {
        const float p = expf(scale * query.dot(keys + key * stride) - log_sum);
        d_query.add(p * (d_out.dot(values + key * stride) - of_row) * scale, keys + key * stride);
    }
    d_query.addTo(d_qkv + at.qkv + own * stride);
    if (threadIdx.x % kWarp == 0) delta[at.log_sum + at.row] = of_row;
}

template <class Number, unsigned d>
__global__ void segment_attention_dkv_kernel(float* d_qkv, const float* delta, const Number* dy,
                                             const float* log_sums, const Number* qkv, SegmentShape shape,
                                             float scale) {
    const SegmentRow at = segmentRow(shape, d);
    if (at.row >= shape.first + shape.T) return;  // a whole warp
    const Size stride = 3 * shape.C, own = at.qkv + at.row * stride;
    OfLane<d> key, value, d_key, d_value;
    key.load(qkv + own + shape.C);
    value.load(qkv + own + 2 * shape.C);
    for (Size row = at.row > shape.first ? at.row - shape.first : 0; row < shape.T; ++row) {
        const Number* const query = qkv + at.qkv + (shape.first + row) * stride;
        const Number* const d_out = dy + at.y + row * shape.C;
        const float p = expf(scale * key.dot(query) - log_sums[at.log_sum + row]);
        d_key.add(p * (value.dot(d_out) - delta[at.log_sum + row]) * scale, query);
        d_value.add(p, d_out);
    }
    d_key.addTo(d_qkv + own + shape.C);
    d_value.addTo(d_qkv + own + 2 * shape.C);
}

// Working space of the backward: delta.
inline Size segmentAttentionBackwardBytes(Size B, const SegmentShape& shape) {
    return B * shape.heads * shape.T * sizeof(float);
}

inline Grid segmentGrid(Size B, const SegmentShape& shape, Size rows) {
    return attentionGrid(B, {rows, shape.C, shape.heads}, {kSegmentWarps, kSegmentWarps * kWarp});
}

template <class Launch, class Number>
void segmentAttentionForward(const Launch& launch, Number* y, float* log_sums, const Number* qkv, Size B,
                             const SegmentShape& shape) {
    withHeadSize(shape.C, shape.heads, [&](auto d) {
        launch(segmentGrid(B, shape, shape.T), kSegmentWarps * kWarp,
               &segment_attention_forward_kernel<Number, d()>, y, log_sums, qkv, shape, attentionScale(d()));
    });
}

template <class Launch, class Number>
void segmentAttentionBackward(const Launch& launch, float* d_qkv, const Number* dy, const Number* y,
                              const float* log_sums, const Number* qkv, Size B, const SegmentShape& shape,
                              float* delta) {
    withHeadSize(shape.C, shape.heads, [&](auto d) {
        const float scale = attentionScale(d());
        launch(segmentGrid(B, shape, shape.T), kSegmentWarps * kWarp,
               &segment_attention_dq_kernel<Number, d()>, d_qkv, delta, dy, y, log_sums, qkv, shape, scale);
        launch(segmentGrid(B, shape, shape.first + shape.T), kSegmentWarps * kWarp,
               &segment_attention_dkv_kernel<Number, d()>, d_qkv, static_cast<const float*>(delta), dy,
               log_sums, qkv, shape, scale);
    });
}

}  // namespace bscope::cuda
