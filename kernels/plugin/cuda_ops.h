// Ops on a GPU: each is one call of the plugin. See kernels/ops.h for shapes and plugin_abi.h for errors,
// which are thrown as DeviceError.
#pragma once

#include "kernels/ops.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

class CudaOps final : public Ops {
public:
    // precision: BSCOPE_FP32 or BSCOPE_BF16. Api and stream must outlive this.
    CudaOps(const BscopePlugin& api, BscopeStream* stream, std::int32_t precision) : api_(api) {
        check(api.ops_open(stream, precision, &ops_));
    }
    CudaOps(const CudaOps&) = delete;
    CudaOps& operator=(const CudaOps&) = delete;
    ~CudaOps() override { api_.ops_close(ops_); }

    std::size_t workspaceBytes() const override { return api_.ops_workspace_bytes(ops_); }

    void copy(float* to, const float* from, std::size_t count) override {
        check(api_.op_copy(ops_, to, from, count));
    }
    void fill_zero(float* x, std::size_t count) override { check(api_.op_fill_zero(ops_, x, count)); }
    void add(float* y, const float* x, std::size_t count) override { check(api_.op_add(ops_, y, x, count)); }
    void sum_of_squares(double* result, const float* x, std::size_t count) override {
        check(api_.op_sum_of_squares(ops_, result, x, count));
    }

    void matmul(float* c, const float* a, const float* b, Transpose transpose_a, Transpose transpose_b,
                std::size_t rows, std::size_t columns, std::size_t inner, float alpha, float beta,
                std::size_t lda, std::size_t ldb, std::size_t ldc) override {
        check(api_.op_matmul(ops_, c, a, b, transpose_a == Transpose::Yes, transpose_b == Transpose::Yes,
                             rows, columns, inner, alpha, beta, lda, ldb, ldc));
    }
    void linear_forward(float* y, const float* x, const float* weight, const float* bias,
                        const float* residual, std::size_t rows, std::size_t in, std::size_t out) override {
        check(api_.op_linear_forward(ops_, y, x, weight, bias, residual, rows, in, out));
    }
    void linear_gelu_forward(float* y, float* hidden, const float* x, const float* weight, const float* bias,
                             std::size_t rows, std::size_t in, std::size_t out) override {
        check(api_.op_linear_gelu_forward(ops_, y, hidden, x, weight, bias, rows, in, out));
    }
    void linear_gelu_backward_input(float* d_hidden, float* work, const float* dy, const float* weight,
                                    const float* hidden, std::size_t rows, std::size_t in,
                                    std::size_t out) override {
        check(api_.op_linear_gelu_backward_input(ops_, d_hidden, work, dy, weight, hidden, rows, in, out));
    }
    void linear_backward_weight(float* d_weight, float* d_bias, const float* dy, const float* x,
                                std::size_t rows, std::size_t in, std::size_t out) override {
        check(api_.op_linear_backward_weight(ops_, d_weight, d_bias, dy, x, rows, in, out));
    }

    void add_bias(float* y, const float* bias, std::size_t rows, std::size_t columns) override {
        check(api_.op_add_bias(ops_, y, bias, rows, columns));
    }
    void add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                           std::size_t columns) override {
        check(api_.op_add_bias_residual(ops_, y, bias, residual, rows, columns));
    }
    void bias_backward(float* d_bias, const float* dy, std::size_t rows, std::size_t columns) override {
        check(api_.op_bias_backward(ops_, d_bias, dy, rows, columns));
    }

    void layernorm_forward(float* y, float* mean, float* rstd, const float* x, const float* weight,
                           const float* bias, std::size_t rows, std::size_t C) override {
        check(api_.op_layernorm_forward(ops_, y, mean, rstd, x, weight, bias, rows, C));
    }
    void layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy, const float* x,
                            const float* mean, const float* rstd, const float* weight,
                            const float* d_residual, std::size_t rows, std::size_t C) override {
        check(api_.op_layernorm_backward(ops_, dx, weight_sum, bias_sum, dy, x, mean, rstd, weight,
                                         d_residual, rows, C));
    }
    void bias_gelu_forward(float* y, float* x, const float* bias, std::size_t rows,
                           std::size_t columns) override {
        check(api_.op_bias_gelu_forward(ops_, y, x, bias, rows, columns));
    }
    void gelu_backward(float* dx, const float* dy, const float* x, std::size_t count) override {
        check(api_.op_gelu_backward(ops_, dx, dy, x, count));
    }

    std::size_t attention_kept_floats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T;
    }
    void attention_forward(float* y, float* log_sums, const float* qkv, std::size_t B, std::size_t T,
                           std::size_t C, std::size_t heads) override {
        check(api_.op_attention_forward(ops_, y, log_sums, qkv, B, T, C, heads));
    }
    void attention_backward(float* d_qkv, const float* dy, const float* y, const float* log_sums,
                            const float* qkv, std::size_t B, std::size_t T, std::size_t C,
                            std::size_t heads) override {
        check(api_.op_attention_backward(ops_, d_qkv, dy, y, log_sums, qkv, B, T, C, heads));
    }

    void embedding_forward(float* y, const std::int32_t* tokens, const float* token_weight,
                           const float* position_weight, std::size_t B, std::size_t T,
                           std::size_t C) override {
        check(api_.op_embedding_forward(ops_, y, tokens, token_weight, position_weight, B, T, C));
    }
    void embedding_backward(float* d_token, float* d_position, const float* dy, const std::int32_t* tokens,
                            std::size_t B, std::size_t T, std::size_t C) override {
        check(api_.op_embedding_backward(ops_, d_token, d_position, dy, tokens, B, T, C));
    }
    void softmax_cross_entropy(double* mean_loss, float* logits, const std::int32_t* targets,
                               std::size_t rows, std::size_t V, float gradient_scale) override {
        check(api_.op_softmax_cross_entropy(ops_, mean_loss, logits, targets, rows, V, gradient_scale));
    }
    void adamw_step(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                    const AdamWStep& step) override {
        const BscopeAdamW numbers{step.learning_rate, step.beta1,          step.beta2, step.epsilon,
                                  step.weight_decay,  step.gradient_scale, step.step};
        check(api_.op_adamw_step(ops_, weight, m, v, gradient, count, &numbers));
    }

private:
    const BscopePlugin& api_;
    BscopeOps* ops_ = nullptr;
};

}  // namespace bscope
