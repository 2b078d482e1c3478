// Ops on the CPU, in fp32: matrix products by oneDNN, everything else by the loops in simd/. Work is done
// when a call returns. One thread at a time; the matrix products use as many threads as prepareThread() set:
// one.
#pragma once

#include <vector>

#include "kernels/cpu/simd_level.h"
#include "kernels/ops.h"

namespace bscope {

class CpuOps final : public Ops {
public:
    explicit CpuOps(const simd::Level& level = simd::bestLevel())
        : element_(level.element), row_(level.row) {}

    std::size_t workspaceBytes() const override { return workspace_.capacity() * sizeof(float); }

    void copy(float* to, const float* from, std::size_t count) override;
    void fill_zero(float* x, std::size_t count) override;
    void add(float* y, const float* x, std::size_t count) override;
    void sum_of_squares(double* result, const float* x, std::size_t count) override;
    void round(Operand to, const float* from, std::size_t count) override;
    // Throws std::runtime_error when oneDNN refuses.
    void matmul(Operand c, ConstOperand a, ConstOperand b, Transpose transpose_a, Transpose transpose_b,
                std::size_t rows, std::size_t columns, std::size_t inner, float alpha, float beta,
                std::size_t lda, std::size_t ldb, std::size_t ldc) override;
    void add_bias(Operand y, ConstOperand bias, std::size_t rows, std::size_t columns) override;
    void add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                           std::size_t columns) override;
    void bias_backward(float* bias_gradient, ConstOperand dy, std::size_t rows, std::size_t columns) override;
    void layernorm_forward(Operand y, float* mean, float* rstd, const float* x, const float* weight,
                           const float* bias, std::size_t rows, std::size_t C) override;
    void layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy, const float* x,
                            const float* mean, const float* rstd, const float* weight,
                            const float* d_residual, std::size_t rows, std::size_t C) override;
    void bias_gelu_forward(Operand y, Operand x, ConstOperand bias, std::size_t rows,
                           std::size_t columns) override;
    void gelu_backward(Operand dx, ConstOperand dy, ConstOperand x, std::size_t count) override;
    std::size_t attention_kept_floats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T * T;
    }
    void attention_forward(Operand y, float* probabilities, ConstOperand qkv, std::size_t B, std::size_t T,
                           std::size_t C, std::size_t heads) override;
    void attention_backward(Operand d_qkv, ConstOperand dy, ConstOperand y, const float* probabilities,
                            ConstOperand qkv, std::size_t B, std::size_t T, std::size_t C,
                            std::size_t heads) override;
    void embedding_forward(float* y, const std::int32_t* tokens, const float* token_weight,
                           const float* position_weight, std::size_t B, std::size_t T,
                           std::size_t C) override;
    void embedding_backward(float* token_gradient, float* position_gradient, const float* dy,
                            const std::int32_t* tokens, std::size_t B, std::size_t T, std::size_t C) override;
    void softmax_cross_entropy(double* mean_loss, float* logits, const std::int32_t* targets,
                               std::size_t rows, std::size_t V, float gradient_scale) override;
    void adamw_step(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                    const AdamWStep& step) override;

private:
    const simd::ElementLoops& element_;
    const simd::RowLoops& row_;
    std::vector<float> workspace_;  // attention_backward
};

}  // namespace bscope
