// Ops on a GPU: each is one call of the plugin, at once or as part of a graph. See kernels/ops.h for shapes
// and plugin_abi.h for errors, which are thrown as DeviceError.
#pragma once

#include "kernels/ops.h"
#include "kernels/plugin/graph_cache.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

inline std::int32_t abiPrecision(Precision precision) {
    return precision == Precision::Bf16 ? BSCOPE_BF16 : BSCOPE_FP32;
}

class CudaOps final : public Ops {
public:
    // Api and stream must outlive this.
    CudaOps(const BscopePlugin& api, BscopeStream* stream, Precision precision)
        : api_(api), graphs_(api, stream) {
        check(api.ops_open(stream, abiPrecision(precision), &ops_));
    }
    CudaOps(const CudaOps&) = delete;
    CudaOps& operator=(const CudaOps&) = delete;
    ~CudaOps() override { api_.ops_close(ops_); }

    std::size_t workspaceBytes() const override { return api_.ops_workspace_bytes(ops_); }

    void fused(std::uint32_t* fused, std::uint32_t* apart) const { api_.ops_fused(ops_, fused, apart); }

    void together(const std::function<void()>& calls) override { graphs_.run(calls); }

    void copy(float* to, const float* from, std::size_t count) override {
        call(api_.op_copy, to, from, count);
    }
    void fill_zero(float* x, std::size_t count) override { call(api_.op_fill_zero, x, count); }
    void add(float* y, const float* x, std::size_t count) override { call(api_.op_add, y, x, count); }
    void sum_of_squares(double* result, const float* x, std::size_t count) override {
        call(api_.op_sum_of_squares, result, x, count);
    }

    void round(Operand to, const float* from, std::size_t count) override {
        if (to.data() != from) call(api_.op_round, abi(to), from, count);
    }
    void matmul(Operand c, ConstOperand a, ConstOperand b, Transpose transpose_a, Transpose transpose_b,
                std::size_t rows, std::size_t columns, std::size_t inner, float alpha, float beta,
                std::size_t lda, std::size_t ldb, std::size_t ldc) override {
        call(api_.op_matmul, abi(c), abi(a), abi(b), transpose_a == Transpose::Yes,
             transpose_b == Transpose::Yes, rows, columns, inner, alpha, beta, lda, ldb, ldc);
    }
    void linear_forward(Operand y, ConstOperand x, ConstOperand weight, ConstOperand bias,
                        const float* residual, std::size_t rows, std::size_t in, std::size_t out) override {
        call(api_.op_linear_forward, abi(y), abi(x), abi(weight), abi(bias), residual, rows, in, out);
    }
    void linear_gelu_forward(Operand y, Operand hidden, ConstOperand x, ConstOperand weight,
                             ConstOperand bias, std::size_t rows, std::size_t in, std::size_t out) override {
        call(api_.op_linear_gelu_forward, abi(y), abi(hidden), abi(x), abi(weight), abi(bias), rows, in, out);
    }
    void linear_gelu_backward_input(Operand d_hidden, Operand work, ConstOperand dy, ConstOperand weight,
                                    ConstOperand hidden, std::size_t rows, std::size_t in,
                                    std::size_t out) override {
        call(api_.op_linear_gelu_backward_input, abi(d_hidden), abi(work), abi(dy), abi(weight), abi(hidden),
             rows, in, out);
    }
    void linear_backward_weight(float* d_weight, float* d_bias, ConstOperand dy, ConstOperand x,
                                std::size_t rows, std::size_t in, std::size_t out) override {
        call(api_.op_linear_backward_weight, d_weight, d_bias, abi(dy), abi(x), rows, in, out);
    }

    void add_bias(Operand y, ConstOperand bias, std::size_t rows, std::size_t columns) override {
        call(api_.op_add_bias, abi(y), abi(bias), rows, columns);
    }
    void add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                           std::size_t columns) override {
        call(api_.op_add_bias_residual, y, bias, residual, rows, columns);
    }
    void bias_backward(float* d_bias, ConstOperand dy, std::size_t rows, std::size_t columns) override {
        call(api_.op_bias_backward, d_bias, abi(dy), rows, columns);
    }

    void layernorm_forward(Operand y, float* mean, float* rstd, const float* x, const float* weight,
                           const float* bias, std::size_t rows, std::size_t C) override {
        call(api_.op_layernorm_forward, abi(y), mean, rstd, x, weight, bias, rows, C);
    }
    void layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy, const float* x,
                            const float* mean, const float* rstd, const float* weight,
                            const float* d_residual, std::size_t rows, std::size_t C) override {
        call(api_.op_layernorm_backward, dx, weight_sum, bias_sum, dy, x, mean, rstd, weight, d_residual,
             rows, C);
    }
    void bias_gelu_forward(Operand y, Operand x, ConstOperand bias, std::size_t rows,
                           std::size_t columns) override {
        call(api_.op_bias_gelu_forward, abi(y), abi(x), abi(bias), rows, columns);
    }
    void gelu_backward(Operand dx, ConstOperand dy, ConstOperand x, std::size_t count) override {
        call(api_.op_gelu_backward, abi(dx), abi(dy), abi(x), count);
    }

    std::size_t attention_kept_floats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T;
    }
    void attention_forward(Operand y, float* log_sums, ConstOperand qkv, std::size_t B, std::size_t T,
                           std::size_t C, std::size_t heads) override {
        call(api_.op_attention_forward, abi(y), log_sums, abi(qkv), B, T, C, heads);
    }
    void attention_backward(Operand d_qkv, ConstOperand dy, ConstOperand y, const float* log_sums,
                            ConstOperand qkv, std::size_t B, std::size_t T, std::size_t C,
                            std::size_t heads) override {
        call(api_.op_attention_backward, abi(d_qkv), abi(dy), abi(y), log_sums, abi(qkv), B, T, C, heads);
    }

    void embedding_forward(float* y, const std::int32_t* tokens, const float* token_weight,
                           const float* position_weight, std::size_t B, std::size_t T,
                           std::size_t C) override {
        call(api_.op_embedding_forward, y, tokens, token_weight, position_weight, B, T, C);
    }
    void embedding_backward(float* d_token, float* d_position, const float* dy, const std::int32_t* tokens,
                            std::size_t B, std::size_t T, std::size_t C) override {
        call(api_.op_embedding_backward, d_token, d_position, dy, tokens, B, T, C);
    }
    void softmax_cross_entropy(double* mean_loss, float* logits, const std::int32_t* targets,
                               std::size_t rows, std::size_t V, float gradient_scale) override {
        call(api_.op_softmax_cross_entropy, mean_loss, logits, targets, rows, V, gradient_scale);
    }
    void adamw_step(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                    const AdamWStep& step) override {
        const BscopeAdamW numbers{step.learning_rate, step.beta1,          step.beta2, step.epsilon,
                                  step.weight_decay,  step.gradient_scale, step.step};
        call(api_.op_adamw_step, weight, m, v, gradient, count, &numbers);
    }

private:
    static BscopeOperand abi(Operand x) { return {x.data(), abiPrecision(x.precision())}; }
    static BscopeConstOperand abi(ConstOperand x) { return {x.data(), abiPrecision(x.precision())}; }

    template <class... Parameters, class... Arguments>
    void call(BscopeError (*op)(BscopeOps*, Parameters...), Arguments... arguments) {
        const auto now = [op, ops = ops_, ... given = static_cast<Parameters>(arguments)] {
            check(op(ops, given...));
        };
        if (graphs_.isRecording())
            graphs_.add(now, op, static_cast<Parameters>(arguments)...);
        else
            now();
    }

    const BscopePlugin& api_;
    BscopeOps* ops_ = nullptr;
    GraphCache graphs_;
};

}  // namespace bscope
