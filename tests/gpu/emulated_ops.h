// Ops made of the GPU's kernels and launches, run on the CPU by the emulation. Matrix products are cuBLASLt's
// on a GPU; here they are a plain loop over operands, which the plugin's own kernel rounds if need be.
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
    void round(Operand to, const float* from, std::size_t count) override {
        if (to.precision() == Precision::Bf16)
            cuda::convert_to_bf16(launch_, numbers<cuda::Bf16>(to), from, 1, count, count);
        else if (to.data() != from)
            copy(to.fp32(), from, count);
    }
    void matmul(Operand c, ConstOperand a, ConstOperand b, Transpose transpose_a, Transpose transpose_b,
                std::size_t rows, std::size_t columns, std::size_t inner, float alpha, float beta,
                std::size_t lda, std::size_t ldb, std::size_t ldc) override {
        const bool ta = transpose_a == Transpose::Yes, tb = transpose_b == Transpose::Yes;
        const std::vector<float> left = rounded(a, ta ? inner : rows, ta ? rows : inner, lda);
        const std::vector<float> right = rounded(b, tb ? columns : inner, tb ? inner : columns, ldb);
        withNumber(c, [&](auto number) {
            auto* const to = numbers<decltype(number)>(c);
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < columns; ++j) {
                    float sum = 0;
                    for (std::size_t k = 0; k < inner; ++k)
                        sum += left[ta ? k * rows + i : i * inner + k] *
                               right[tb ? j * inner + k : k * columns + j];
                    auto& at = to[i * ldc + j];
                    at = cuda::narrow<decltype(number)>(alpha * sum +
                                                        (beta == 0 ? 0 : beta * cuda::widen(at)));
                }
        });
    }
    void add_bias(Operand y, ConstOperand bias, std::size_t rows, std::size_t columns) override {
        withNumber(y, [&](auto number) {
            using Number = decltype(number);
            cuda::add_bias(launch_, numbers<Number>(y), numbers<Number>(bias), rows, columns);
        });
    }
    void add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                           std::size_t columns) override {
        cuda::add_bias_residual(launch_, y, bias, residual, rows, columns);
    }
    void bias_backward(float* d_bias, ConstOperand dy, std::size_t rows, std::size_t columns) override {
        withNumber(dy, [&](auto number) {
            cuda::bias_backward(launch_, d_bias, numbers<decltype(number)>(dy), rows, columns,
                                workspace(cuda::biasBackwardBytes(rows, columns)));
        });
    }
    void layernorm_forward(Operand y, float* mean, float* rstd, const float* x, const float* weight,
                           const float* bias, std::size_t rows, std::size_t C) override {
        withNumber(y, [&](auto number) {
            cuda::layernorm_forward(launch_, numbers<decltype(number)>(y), mean, rstd, x, weight, bias, rows,
                                    C);
        });
    }
    void layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy, const float* x,
                            const float* mean, const float* rstd, const float* weight,
                            const float* d_residual, std::size_t rows, std::size_t C) override {
        cuda::layernorm_backward(launch_, dx, weight_sum, bias_sum, dy, x, mean, rstd, weight, d_residual,
                                 rows, C, workspace(cuda::layernormBackwardBytes(rows, C)));
    }
    void bias_gelu_forward(Operand y, Operand x, ConstOperand bias, std::size_t rows,
                           std::size_t columns) override {
        withNumber(y, [&](auto number) {
            using Number = decltype(number);
            cuda::bias_gelu_forward(launch_, numbers<Number>(y), numbers<Number>(x), numbers<Number>(bias),
                                    rows, columns);
        });
    }
    void gelu_backward(Operand dx, ConstOperand dy, ConstOperand x, std::size_t count) override {
        withNumber(dx, [&](auto number) {
            using Number = decltype(number);
            cuda::gelu_backward(launch_, numbers<Number>(dx), numbers<Number>(dy), numbers<Number>(x), count);
        });
    }
    std::size_t attention_kept_floats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T;
    }
    void attention_forward(Operand y, float* log_sums, ConstOperand qkv, std::size_t B, std::size_t T,
                           std::size_t C, std::size_t heads) override {
        const cuda::AttentionShape shape{T, C, heads};
        if (y.precision() == Precision::Bf16)
            cuda::bf16::attention_forward(launch_, numbers<cuda::Bf16>(y), log_sums, numbers<cuda::Bf16>(qkv),
                                          B, shape);
        else
            cuda::fp32::attention_forward(launch_, y.fp32(), log_sums, qkv.fp32(), B, shape);
    }
    void attention_backward(Operand d_qkv, ConstOperand dy, ConstOperand y, const float* log_sums,
                            ConstOperand qkv, std::size_t B, std::size_t T, std::size_t C,
                            std::size_t heads) override {
        const cuda::AttentionShape shape{T, C, heads};
        void* const scratch = workspace(cuda::attentionBackwardBytes(B, T, C, heads));
        if (y.precision() == Precision::Bf16)
            cuda::bf16::attention_backward(launch_, numbers<cuda::Bf16>(d_qkv), numbers<cuda::Bf16>(dy),
                                           numbers<cuda::Bf16>(y), log_sums, numbers<cuda::Bf16>(qkv), B,
                                           shape, scratch);
        else
            cuda::fp32::attention_backward(launch_, d_qkv.fp32(), dy.fp32(), y.fp32(), log_sums, qkv.fp32(),
                                           B, shape, scratch);
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

    template <class Number>
    static Number* numbers(Operand operand) {
        return static_cast<Number*>(operand.data());
    }
    template <class Number>
    static const Number* numbers(ConstOperand operand) {
        return static_cast<const Number*>(operand.data());
    }
    template <class With>
    static void withNumber(ConstOperand operand, With with) {
        if (operand.precision() == Precision::Bf16) return with(cuda::Bf16{});
        return with(float{});
    }

    // A product's operand as it enters it, without gaps.
    std::vector<float> rounded(ConstOperand from, std::size_t rows, std::size_t columns, std::size_t ld) {
        std::vector<float> result(rows * columns);
        const auto place = [&](std::size_t i) { return i / columns * ld + i % columns; };
        if (from.precision() == Precision::Bf16) {
            for (std::size_t i = 0; i < result.size(); ++i)
                result[i] = cuda::widen(numbers<cuda::Bf16>(from)[place(i)]);
        } else if (bf16_) {
            std::vector<cuda::Bf16> bits(result.size());
            cuda::convert_to_bf16(launch_, bits.data(), from.fp32(), rows, columns, ld);
            for (std::size_t i = 0; i < result.size(); ++i) result[i] = cuda::widen(bits[i]);
        } else {
            for (std::size_t i = 0; i < result.size(); ++i) result[i] = from.fp32()[place(i)];
        }
        return result;
    }

    bool bf16_;
    cuda::EmulatedLaunch launch_;
    std::vector<double> workspace_;
};

}  // namespace bscope
