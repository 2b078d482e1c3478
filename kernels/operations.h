/* The numeric operations that the model needs, each a value: what it is called with, by name, and nothing
 * else. The lists below are all there is to say of them in one place: the interface Ops (ops.h), the plugin's
 * table (plugin/plugin_abi.h) and what fills, forwards and checks either follow from them. Plain C, since the
 * values cross to the plugin as they are; only fields of 8 bytes, or two of 4 side by side, so that there are
 * no gaps and a value is known by its bytes (plugin/graph_cache.h).
 *
 * Row-major. Tensors are fp32 in memory but for operands of products and attention (operand.h): a device that
 * computes in bf16 keeps those in bf16, rounds an fp32 one that enters a product, and sums in fp32. The
 * operands of attention and of the operations behind a product have the device's precision; a bias has that
 * of what it is added to. All pointers are device memory and do not overlap unless stated. Letters: B
 * micro-batch size, T sequence length, C hidden size, V vocabulary, d = C / heads; rows = B * T. */
#pragma once

#include "kernels/operand.h"

/* X(Name, name). Copies and products, for which machines have calls of their own. */
#define BSCOPE_PLAIN_OPERATIONS(X) \
    X(CopyFloats, copy_floats)     \
    X(FillZero, fill_zero)         \
    X(Round, round)                \
    X(Matmul, matmul)

/* Linear layers: a product with what comes directly behind it, so that a device which can do both in one pass
 * does. One that cannot has them as a product and one of the operations below (unfused_ops.h). */
#define BSCOPE_LINEAR_OPERATIONS(X)                        \
    X(LinearForward, linear_forward)                       \
    X(LinearGeluForward, linear_gelu_forward)              \
    X(LinearBackwardInput, linear_backward_input)          \
    X(LinearGeluBackwardInput, linear_gelu_backward_input) \
    X(LinearBackwardWeight, linear_backward_weight)

/* Every number by itself. */
#define BSCOPE_ELEMENT_OPERATIONS(X)      \
    X(Add, add)                           \
    X(AddBias, add_bias)                  \
    X(AddBiasResidual, add_bias_residual) \
    X(BiasGeluForward, bias_gelu_forward) \
    X(GeluBackward, gelu_backward)        \
    X(AdamW, adamw)

/* Whole rows, and sums. */
#define BSCOPE_ROW_OPERATIONS(X)                  \
    X(SumOfSquares, sum_of_squares)               \
    X(BiasBackward, bias_backward)                \
    X(LayernormForward, layernorm_forward)        \
    X(LayernormBackward, layernorm_backward)      \
    X(EmbeddingForward, embedding_forward)        \
    X(EmbeddingBackward, embedding_backward)      \
    X(SoftmaxCrossEntropy, softmax_cross_entropy) \
    X(RowMaximum, row_maximum)                    \
    X(SoftmaxPart, softmax_part)                  \
    X(CrossEntropyPart, cross_entropy_part)

#define BSCOPE_ATTENTION_OPERATIONS(X)                    \
    X(AttentionForward, attention_forward)                \
    X(AttentionBackward, attention_backward)              \
    X(SegmentAttentionForward, segment_attention_forward) \
    X(SegmentAttentionBackward, segment_attention_backward)

/* Those that a GPU has one kernel or a few for. */
#define BSCOPE_KERNEL_OPERATIONS(X) \
    BSCOPE_ELEMENT_OPERATIONS(X)    \
    BSCOPE_ROW_OPERATIONS(X)        \
    BSCOPE_ATTENTION_OPERATIONS(X)

#define BSCOPE_OPERATIONS(X)    \
    BSCOPE_PLAIN_OPERATIONS(X)  \
    BSCOPE_LINEAR_OPERATIONS(X) \
    BSCOPE_KERNEL_OPERATIONS(X)

#ifdef __cplusplus

namespace bscope {

enum class Transpose : std::int32_t { No, Yes };

/* Loshchilov & Hutter, "Decoupled weight decay regularization" (arXiv:1711.05101), with bias correction. */
struct AdamWStep {
    float learning_rate = 1e-3F;
    float beta1 = 0.9F;
    float beta2 = 0.95F;
    float epsilon = 1e-8F;
    float weight_decay = 0.01F;
    float gradient_scale = 1.0F; /* the clipping factor, applied to every gradient first */
    std::int64_t step = 1;       /* 1 for the first step: bias correction is 1 - beta^step */
};

}  // namespace bscope

typedef bscope::Transpose BscopeTranspose;
typedef bscope::AdamWStep BscopeAdamWStep;

extern "C" {
#else
typedef int32_t BscopeTranspose; /* 1: yes */
typedef struct BscopeAdamWStep {
    float learning_rate, beta1, beta2, epsilon, weight_decay, gradient_scale;
    int64_t step;
} BscopeAdamWStep;
#endif

typedef struct BscopeCopyFloats {
    float* to;
    const float* from;
    uint64_t count;
} BscopeCopyFloats;

typedef struct BscopeFillZero {
    float* x;
    uint64_t count;
} BscopeFillZero;

/* fp32 into the precision of `to`. */
typedef struct BscopeRound {
    BscopeOperand to;
    const float* from;
    uint64_t count;
} BscopeRound;

/* c (rows, columns) = alpha op(a) op(b) + beta c, inner = the summed dimension; leading dimensions count
 * numbers. */
typedef struct BscopeMatmul {
    BscopeOperand c;
    BscopeConstOperand a, b;
    BscopeTranspose transpose_a, transpose_b;
    uint64_t rows, columns, inner;
    float alpha, beta;
    uint64_t lda, ldb, ldc;
} BscopeMatmul;

/* W (out, in) and x (rows, in): y (rows, out) = x W^T + bias + residual; a null bias or residual adds
 * nothing; no residual without bias, and only where y is fp32. */
typedef struct BscopeLinearForward {
    BscopeOperand y;
    BscopeConstOperand x, weight, bias;
    const float* residual;
    uint64_t rows, in, out;
} BscopeLinearForward;

/* hidden (rows, out) = x W^T + bias, y = gelu(hidden) */
typedef struct BscopeLinearGeluForward {
    BscopeOperand y, hidden;
    BscopeConstOperand x, weight, bias;
    uint64_t rows, in, out;
} BscopeLinearGeluForward;

/* dx (rows, in) = dy (rows, out) W */
typedef struct BscopeLinearBackwardInput {
    BscopeOperand dx;
    BscopeConstOperand dy, weight;
    uint64_t rows, in, out;
} BscopeLinearBackwardInput;

/* d_hidden (rows, in) = (dy W) gelu'(hidden), which it may take the place of; work: (rows, in) */
typedef struct BscopeLinearGeluBackwardInput {
    BscopeOperand d_hidden, work;
    BscopeConstOperand dy, weight, hidden;
    uint64_t rows, in, out;
} BscopeLinearGeluBackwardInput;

/* d_weight (out, in) += dy^T x and d_bias (out) += column sums of dy; d_bias may be null. */
typedef struct BscopeLinearBackwardWeight {
    float *d_weight, *d_bias;
    BscopeConstOperand dy, x;
    uint64_t rows, in, out;
} BscopeLinearBackwardWeight;

/* y += x */
typedef struct BscopeAdd {
    float* y;
    const float* x;
    uint64_t count;
} BscopeAdd;

/* y (rows, columns) += bias (columns) */
typedef struct BscopeAddBias {
    BscopeOperand y;
    BscopeConstOperand bias;
    uint64_t rows, columns;
} BscopeAddBias;

/* y (rows, columns) += bias (columns) + residual (rows, columns) */
typedef struct BscopeAddBiasResidual {
    float* y;
    const float *bias, *residual;
    uint64_t rows, columns;
} BscopeAddBiasResidual;

/* x += bias, then y = gelu(x), tanh form (Hendrycks & Gimpel, arXiv:1606.08415). A null bias adds nothing. */
typedef struct BscopeBiasGeluForward {
    BscopeOperand y, x;
    BscopeConstOperand bias;
    uint64_t rows, columns;
} BscopeBiasGeluForward;

/* dx = dy gelu'(x); dx may be x. */
typedef struct BscopeGeluBackward {
    BscopeOperand dx;
    BscopeConstOperand dy, x;
    uint64_t count;
} BscopeGeluBackward;

/* One step of each weight, with its state m and v. */
typedef struct BscopeAdamW {
    float *weight, *m, *v;
    const float* gradient;
    uint64_t count;
    BscopeAdamWStep step;
} BscopeAdamW;

/* *result = sum of x^2, in double */
typedef struct BscopeSumOfSquares {
    double* result;
    const float* x;
    uint64_t count;
} BscopeSumOfSquares;

/* d_bias (columns) += column sums of dy (rows, columns) */
typedef struct BscopeBiasBackward {
    float* d_bias;
    BscopeConstOperand dy;
    uint64_t rows, columns;
} BscopeBiasBackward;

/* y = (x - mean) rstd weight + bias over each row of C, eps 1e-5; mean and rstd: (rows). */
typedef struct BscopeLayernormForward {
    BscopeOperand y;
    float *mean, *rstd;
    const float *x, *weight, *bias;
    uint64_t rows, C;
} BscopeLayernormForward;

/* dx = d_residual + gradient through the normalisation. Its by-products are this call's sums over the rows,
 * weight_sum (C) = sum dy xhat and bias_sum (C) = sum dy, overwritten. dx may be x; d_residual may be null.
 */
typedef struct BscopeLayernormBackward {
    float *dx, *weight_sum, *bias_sum;
    const float *dy, *x, *mean, *rstd, *weight, *d_residual;
    uint64_t rows, C;
} BscopeLayernormBackward;

/* y (B, T, C) = token_weight[tokens - first] + position_weight[t]; weights (V, C) and (T, C). A token that is
 * none of first .. first + V - 1 adds nothing, and neither does a null position_weight. */
typedef struct BscopeEmbeddingForward {
    float* y;
    const int32_t* tokens;
    const float *token_weight, *position_weight;
    uint64_t B, T, C, first, V;
} BscopeEmbeddingForward;

/* Adds to both gradients, rows in order; tokens as in the forward. */
typedef struct BscopeEmbeddingBackward {
    float *token_gradient, *position_gradient;
    const float* dy;
    const int32_t* tokens;
    uint64_t B, T, C, first, V;
} BscopeEmbeddingBackward;

/* logits (rows, V) become their gradient, (softmax - onehot(target)) gradient_scale; *mean_loss is the mean
 * cross-entropy over the rows, in nats. gradient_scale is an fp32 number, in a field without a gap. */
typedef struct BscopeSoftmaxCrossEntropy {
    double* mean_loss;
    float* logits;
    const int32_t* targets;
    uint64_t rows, V;
    double gradient_scale;
} BscopeSoftmaxCrossEntropy;

/* The same of logits whose columns are cut, of the part with the columns first .. first + V - 1 (Megatron-LM,
 * arXiv:1909.08053, section 3). What has to be known of all parts goes between these three.
 *
 * maxima (rows): the greatest number of each row of x (rows, columns). */
typedef struct BscopeRowMaximum {
    float* maxima;
    const float* x;
    uint64_t rows, columns;
} BscopeRowMaximum;

/* maxima: (parts, rows), of every part. logits (rows, V) become exp(logit - greatest of the row); sums
 * (rows): of these; target_logits (rows): logit - greatest where the target's is one of them, else 0. */
typedef struct BscopeSoftmaxPart {
    float *sums, *target_logits, *logits;
    const float* maxima;
    const int32_t* targets;
    uint64_t rows, V, first, parts;
} BscopeSoftmaxPart;

/* With sums and target_logits added up over the parts: logits, as they were left there, become their
 * gradient, and *mean_loss is that of all. */
typedef struct BscopeCrossEntropyPart {
    double* mean_loss;
    float* logits;
    const float *sums, *target_logits;
    const int32_t* targets;
    uint64_t rows, V, first;
    double gradient_scale;
} BscopeCrossEntropyPart;

/* Causal multi-head attention. qkv: (B, T, 3C), q, k, v in that order and heads contiguous within each; y:
 * (B, T, C). What the backward needs besides them is the device's own and opaque: `kept`, as many floats as
 * it says. The CPU keeps the probabilities (B, heads, T, T), a GPU the log of each row's sum (B, heads, T).
 */
typedef struct BscopeAttentionForward {
    BscopeOperand y;
    float* kept;
    BscopeConstOperand qkv;
    uint64_t B, T, C, heads;
} BscopeAttentionForward;

/* y and kept: as the forward left them. d_qkv may be qkv. */
typedef struct BscopeAttentionBackward {
    BscopeOperand d_qkv;
    BscopeConstOperand dy, y;
    const float* kept;
    BscopeConstOperand qkv;
    uint64_t B, T, C, heads;
} BscopeAttentionBackward;

/* The same of a segment of each sample, T of its `tokens` tokens from `first` on, which look at the keys and
 * values of those before them, too. y: (B, T, C); qkv: (B, tokens, 3C), of which what comes after the segment
 * is not read. `kept` takes the segment's share, T / tokens, of what is kept of whole samples. */
typedef struct BscopeSegmentAttentionForward {
    BscopeOperand y;
    float* kept;
    BscopeConstOperand qkv;
    uint64_t B, T, C, heads, first, tokens;
} BscopeSegmentAttentionForward;

/* Adds to d_qkv (B, tokens, 3C): the segment's gradients of its queries, and of all keys and values that it
 * looked at. y and kept: as the forward left them. */
typedef struct BscopeSegmentAttentionBackward {
    float* d_qkv;
    BscopeConstOperand dy, y;
    const float* kept;
    BscopeConstOperand qkv;
    uint64_t B, T, C, heads, first, tokens;
} BscopeSegmentAttentionBackward;

#ifdef __cplusplus
}
#endif
