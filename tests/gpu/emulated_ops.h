// Ops made of the GPU's kernels and launches, run on the CPU by the emulation. Matrix products are cuBLASLt's
// on a GPU; here they are a plain loop over operands that the plugin's own kernel rounds.
#pragma once

#include "kernels/cuda/attention_bf16.cuh"
#include "kernels/cuda/attention_fp32.cuh"
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/layernorm.cuh"
#include "kernels/cuda/tokens.cuh"
#include "kernels/ops.h"

namespace bscope {

class EmulatedOps final : public Ops {
public:
    explicit EmulatedOps(bool bf16) : bf16_(bf16) {}

    std::size_t workspaceBytes() const override { return workspace_.size() * sizeof(double); }

    void copy(float* to, const float* from, std::size_t count) override {
        std::memcpy(to, from, count * sizeof(float));
    }
    void fill_zero(float* x, std::size_t count) override { std::memset(x, 0, count * sizeof(float)); }
    void add(float* y, const float* x, std::size_t count) override { cuda::add(launch_, y, x, count); }
    void sum_of_squares(double* result, const float* x, std::size_t count) override {
        cuda::sum_of_squares(launch_, result, x, count, workspace(cuda::sumOfSquaresBytes()));
    }
    void matmul(float* c, const float* a, const float* b, Transpose transpose_a, Transpose transpose_b,
                std::size_t rows, std::size_t columns, std::size_t inner, float alpha, float beta,
                std::size_t lda, std::size_t ldb, std::size_t ldc) override {
        const bool ta = transpose_a == Transpose::Yes, tb = transpose_b == Transpose::Yes;
        const std::vector<float> left = operand(a, ta ? inner : rows, ta ? rows : inner, lda);
        const std::vector<float> right = operand(b, tb ? columns : inner, tb ? inner : columns, ldb);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                float sum = 0;
                for (std::size_t k = 0; k < inner; ++k)
                    sum +=
                        left[ta ? k * rows + i : i * inner + k] * right[tb ? j * inner + k : k * columns + j];
                c[i * ldc + j] = alpha * sum + (beta == 0 ? 0 : beta * c[i * ldc + j]);
            }
    }
    void add_bias(float* y, const float* bias, std::size_t rows, std::size_t columns) override {
        cuda::add_bias(launch_, y, bias, nullptr, rows, columns);
    }
    void add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                           std::size_t columns) override {
        cuda::add_bias(launch_, y, bias, residual, rows, columns);
    }
    void bias_backward(float* d_bias, const float* dy, std::size_t rows, std::size_t columns) override {
        cuda::bias_backward(launch_, d_bias, dy, rows, columns,
                            workspace(cuda::biasBackwardBytes(rows, columns)));
    }
    void layernorm_forward(float* y, float* mean, float* rstd, const float* x, const float* weight,
                           const float* bias, std::size_t rows, std::size_t C) override {
        cuda::layernorm_forward(launch_, y, mean, rstd, x, weight, bias, rows, C);
    }
    void layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy, const float* x,
                            const float* mean, const float* rstd, const float* weight,
                            const float* d_residual, std::size_t rows, std::size_t C) override {
        cuda::layernorm_backward(launch_, dx, weight_sum, bias_sum, dy, x, mean, rstd, weight, d_residual,
                                 rows, C, workspace(cuda::layernormBackwardBytes(C)));
    }
    void bias_gelu_forward(float* y, float* x, const float* bias, std::size_t rows,
                           std::size_t columns) override {
        cuda::bias_gelu_forward(launch_, y, x, bias, rows, columns);
    }
    void gelu_backward(float* dx, const float* dy, const float* x, std::size_t count) override {
        cuda::gelu_backward(launch_, dx, dy, x, count);
    }
    std::size_t attention_kept_floats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T;
    }
    void attention_forward(float* y, float* log_sums, const float* qkv, std::size_t B, std::size_t T,
                           std::size_t C, std::size_t heads) override {
        const cuda::AttentionShape shape{T, C, heads};
        if (bf16_)
            cuda::bf16::attention_forward(launch_, y, log_sums, qkv, B, shape);
        else
            cuda::fp32::attention_forward(launch_, y, log_sums, qkv, B, shape);
    }
    void attention_backward(float* d_qkv, const float* dy, const float* y, const float* log_sums,
                            const float* qkv, std::size_t B, std::size_t T, std::size_t C,
                            std::size_t heads) override {
        const cuda::AttentionShape shape{T, C, heads};
        void* const scratch = workspace(cuda::attentionBackwardBytes(B, T, C, heads));
        if (bf16_)
            cuda::bf16::attention_backward(launch_, d_qkv, dy, y, log_sums, qkv, B, shape, scratch);
        else
            cuda::fp32::attention_backward(launch_, d_qkv, dy, y, log_sums, qkv, B, shape, scratch);
    }
    void embedding_forward(float* y, const std::int32_t* tokens, const float* token_weight,
                           const float* position_weight, std::size_t B, std::size_t T,
                           std::size_t C) override {
        cuda::embedding_forward(launch_, y, tokens, token_weight, position_weight, B, T, C);
    }
    void embedding_backward(float* d_token, float* d_position, const float* dy, const std::int32_t* tokens,
                            std::size_t B, std::size_t T, std::size_t C) override {
        cuda::embedding_backward(launch_, d_token, d_position, dy, tokens, B, T, C);
    }
    void softmax_cross_entropy(double* mean_loss, float* logits, const std::int32_t* targets,
                               std::size_t rows, std::size_t V, float gradient_scale) override {
        cuda::softmax_cross_entropy(launch_, mean_loss, logits, targets, rows, V, gradient_scale,
                                    workspace(cuda::crossEntropyBytes(rows)));
    }
    void adamw_step(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                    const AdamWStep& step) override {
        cuda::adamw_step(launch_, weight, m, v, gradient, count, cuda::adamwFactors(step));
    }

private:
    void* workspace(std::size_t bytes) {
        workspace_.resize(std::max(workspace_.size(), bytes / sizeof(double) + 1));
        return workspace_.data();
    }

    std::vector<float> operand(const float* from, std::size_t rows, std::size_t columns, std::size_t ld) {
        std::vector<float> result(rows * columns);
        if (bf16_) {
            std::vector<std::uint16_t> rounded(result.size());
            cuda::convert_to_bf16(launch_, rounded.data(), from, rows, columns, ld);
            std::transform(rounded.begin(), rounded.end(), result.begin(), cuda::from_bf16);
        } else {
            for (std::size_t i = 0; i < result.size(); ++i) result[i] = from[i / columns * ld + i % columns];
        }
        return result;
    }

    bool bf16_;
    cuda::EmulatedLaunch launch_;
    std::vector<double> workspace_;
};

}  // namespace bscope
