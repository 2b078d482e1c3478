// Ops: every numeric operation the model needs, on one device and one stream, row-major, nothing else.
// Tensors are fp32 in memory but for operands of products and attention (operand.h): a device that computes
// in bf16 keeps those in bf16, rounds an fp32 one that enters a product, and sums in fp32. The operands of
// attention and of the operations behind a product have the device's precision; a bias has that of what it is
// added to. All pointers are device memory and do not overlap unless stated. Results depend only on the
// arguments: the same call gives the same bits on the same machine, on any thread. Used by one thread at a
// time. Letters: B micro-batch size, T sequence length, C hidden size, V vocabulary, d = C / heads; rows = B
// * T.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/operand.h"

namespace bscope {

enum class Transpose : bool { No, Yes };

// Loshchilov & Hutter, "Decoupled weight decay regularization" (arXiv:1711.05101), with bias correction.
struct AdamWStep {
    float learning_rate = 1e-3F;
    float beta1 = 0.9F;
    float beta2 = 0.95F;
    float epsilon = 1e-8F;
    float weight_decay = 0.01F;
    float gradient_scale = 1.0F;  // the clipping factor, applied to every gradient first
    std::int64_t step = 1;        // 1 for the first step: bias correction is 1 - beta^step
};

class Ops {
public:
    virtual ~Ops() = default;

    // Memory this object holds to work in, counted with the rank's buffers.
    virtual std::size_t workspaceBytes() const = 0;

    // The operations that `calls` makes, handed over in one go where the device has a way to, which pays when
    // the same come again. Not for adamw_step, whose numbers are others at every step.
    virtual void together(const std::function<void()>& calls) { calls(); }

    virtual void copy(float* to, const float* from, std::size_t count) = 0;
    virtual void fill_zero(float* x, std::size_t count) = 0;
    virtual void add(float* y, const float* x, std::size_t count) = 0;                   // y += x
    virtual void sum_of_squares(double* result, const float* x, std::size_t count) = 0;  // in double

    // fp32 into the device's precision for operands; nothing to do where that is fp32 and `to` is `from`.
    virtual void round(Operand to, const float* from, std::size_t count) = 0;

    // c (rows, columns) = alpha op(a) op(b) + beta c, inner = the summed dimension; leading dimensions count
    // numbers.
    virtual void matmul(Operand c, ConstOperand a, ConstOperand b, Transpose transpose_a,
                        Transpose transpose_b, std::size_t rows, std::size_t columns, std::size_t inner,
                        float alpha, float beta, std::size_t lda, std::size_t ldb, std::size_t ldc) = 0;

    // Linear layers, W (out, in) and x (rows, in): a product with what comes directly behind it, so that a
    // device which can do both in one pass does. Here they are the product followed by the operation's own.
    // y (rows, out) = x W^T + bias + residual; a null bias or residual adds nothing; no residual without
    // bias, and only where y is fp32.
    virtual void linear_forward(Operand y, ConstOperand x, ConstOperand weight, ConstOperand bias,
                                const float* residual, std::size_t rows, std::size_t in, std::size_t out);
    // hidden (rows, out) = x W^T + bias, y = gelu(hidden)
    virtual void linear_gelu_forward(Operand y, Operand hidden, ConstOperand x, ConstOperand weight,
                                     ConstOperand bias, std::size_t rows, std::size_t in, std::size_t out);
    // dx (rows, in) = dy (rows, out) W
    virtual void linear_backward_input(Operand dx, ConstOperand dy, ConstOperand weight, std::size_t rows,
                                       std::size_t in, std::size_t out);
    // d_hidden (rows, in) = (dy W) gelu'(hidden), which it may take the place of; work: (rows, in)
    virtual void linear_gelu_backward_input(Operand d_hidden, Operand work, ConstOperand dy,
                                            ConstOperand weight, ConstOperand hidden, std::size_t rows,
                                            std::size_t in, std::size_t out);
    // dW (out, in) += dy^T x and d_bias (out) += column sums of dy; d_bias may be null.
    virtual void linear_backward_weight(float* d_weight, float* d_bias, ConstOperand dy, ConstOperand x,
                                        std::size_t rows, std::size_t in, std::size_t out);

    // y (rows, columns) += bias (columns)
    virtual void add_bias(Operand y, ConstOperand bias, std::size_t rows, std::size_t columns) = 0;
    // y (rows, columns) += bias (columns) + residual (rows, columns)
    virtual void add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                                   std::size_t columns) = 0;
    // bias_gradient (columns) += column sums of dy (rows, columns)
    virtual void bias_backward(float* bias_gradient, ConstOperand dy, std::size_t rows,
                               std::size_t columns) = 0;

    // y = (x - mean) rstd weight + bias over each row of C, eps 1e-5; mean and rstd: (rows).
    virtual void layernorm_forward(Operand y, float* mean, float* rstd, const float* x, const float* weight,
                                   const float* bias, std::size_t rows, std::size_t C) = 0;
    // dx = d_residual + gradient through the normalisation. Its by-products are this call's sums over the
    // rows, weight_sum (C) = sum dy xhat and bias_sum (C) = sum dy, overwritten. dx may be x; d_residual may
    // be null.
    virtual void layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy,
                                    const float* x, const float* mean, const float* rstd, const float* weight,
                                    const float* d_residual, std::size_t rows, std::size_t C) = 0;

    // x += bias, then y = gelu(x), tanh form (Hendrycks & Gimpel, arXiv:1606.08415). A null bias adds
    // nothing.
    virtual void bias_gelu_forward(Operand y, Operand x, ConstOperand bias, std::size_t rows,
                                   std::size_t columns) = 0;
    // dx = dy gelu'(x); dx may be x.
    virtual void gelu_backward(Operand dx, ConstOperand dy, ConstOperand x, std::size_t count) = 0;

    // Causal multi-head attention. qkv: (B, T, 3C), q, k, v in that order and heads contiguous within each;
    // y: (B, T, C). What the backward needs besides them is the device's own and opaque: `kept`, that many
    // floats. The CPU keeps the probabilities (B, heads, T, T), a GPU the log of each row's sum (B, heads,
    // T).
    virtual std::size_t attention_kept_floats(std::size_t B, std::size_t T, std::size_t heads) const = 0;
    virtual void attention_forward(Operand y, float* kept, ConstOperand qkv, std::size_t B, std::size_t T,
                                   std::size_t C, std::size_t heads) = 0;
    // y and kept: as the forward left them. d_qkv may be qkv.
    virtual void attention_backward(Operand d_qkv, ConstOperand dy, ConstOperand y, const float* kept,
                                    ConstOperand qkv, std::size_t B, std::size_t T, std::size_t C,
                                    std::size_t heads) = 0;

    // y (B, T, C) = token_weight[tokens] + position_weight[t]; weights (V, C) and (T, C)
    virtual void embedding_forward(float* y, const std::int32_t* tokens, const float* token_weight,
                                   const float* position_weight, std::size_t B, std::size_t T,
                                   std::size_t C) = 0;
    // Adds to both gradients, rows in order.
    virtual void embedding_backward(float* token_gradient, float* position_gradient, const float* dy,
                                    const std::int32_t* tokens, std::size_t B, std::size_t T,
                                    std::size_t C) = 0;

    // logits (rows, V) become their gradient, (softmax - onehot(target)) gradient_scale; *mean_loss is the
    // mean cross-entropy over the rows, in nats.
    virtual void softmax_cross_entropy(double* mean_loss, float* logits, const std::int32_t* targets,
                                       std::size_t rows, std::size_t V, float gradient_scale) = 0;

    virtual void adamw_step(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                            const AdamWStep& step) = 0;
};

}  // namespace bscope
