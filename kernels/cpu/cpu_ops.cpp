// The CPU's operations but attention, which has its own file.
#include "kernels/cpu/cpu_ops.h"

#include <dnnl.h>

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace bscope {

void CpuOps::copy(float* to, const float* from, std::size_t count) {
    std::memcpy(to, from, count * sizeof(float));
}

void CpuOps::fill_zero(float* x, std::size_t count) {
    std::memset(x, 0, count * sizeof(float));
}

void CpuOps::add(float* y, const float* x, std::size_t count) {
    element_.add(y, x, count);
}

void CpuOps::sum_of_squares(double* result, const float* x, std::size_t count) {
    *result = element_.sum_of_squares(x, count);
}

void CpuOps::round(Operand to, const float* from, std::size_t count) {
    if (to.fp32() != from) copy(to.fp32(), from, count);
}

void CpuOps::matmul(Operand c, ConstOperand a, ConstOperand b, Transpose transpose_a, Transpose transpose_b,
                    std::size_t rows, std::size_t columns, std::size_t inner, float alpha, float beta,
                    std::size_t lda, std::size_t ldb, std::size_t ldc) {
    const auto size = [](std::size_t n) { return static_cast<dnnl_dim_t>(n); };
    const auto letter = [](Transpose t) { return t == Transpose::Yes ? 'T' : 'N'; };
    const dnnl_status_t status =
        dnnl_sgemm(letter(transpose_a), letter(transpose_b), size(rows), size(columns), size(inner), alpha,
                   a.fp32(), size(lda), b.fp32(), size(ldb), beta, c.fp32(), size(ldc));
    if (status != dnnl_success)
        throw std::runtime_error("oneDNN refused a matrix product of " + std::to_string(rows) + " x " +
                                 std::to_string(columns) + " x " + std::to_string(inner) + ", status " +
                                 std::to_string(static_cast<int>(status)));
}

void CpuOps::add_bias(Operand y, ConstOperand bias, std::size_t rows, std::size_t columns) {
    element_.add_bias(y.fp32(), bias.fp32(), rows, columns);
}

void CpuOps::add_bias_residual(float* y, const float* bias, const float* residual, std::size_t rows,
                               std::size_t columns) {
    element_.add_bias_residual(y, bias, residual, rows, columns);
}

void CpuOps::bias_backward(float* bias_gradient, ConstOperand dy, std::size_t rows, std::size_t columns) {
    element_.bias_backward(bias_gradient, dy.fp32(), rows, columns);
}

void CpuOps::layernorm_forward(Operand y, float* mean, float* rstd, const float* x, const float* weight,
                               const float* bias, std::size_t rows, std::size_t C) {
    row_.layernorm_forward(y.fp32(), mean, rstd, x, weight, bias, rows, C);
}

void CpuOps::layernorm_backward(float* dx, float* weight_sum, float* bias_sum, const float* dy,
                                const float* x, const float* mean, const float* rstd, const float* weight,
                                const float* d_residual, std::size_t rows, std::size_t C) {
    row_.layernorm_backward(dx, weight_sum, bias_sum, dy, x, mean, rstd, weight, d_residual, rows, C);
}

void CpuOps::bias_gelu_forward(Operand y, Operand x, ConstOperand bias, std::size_t rows,
                               std::size_t columns) {
    element_.bias_gelu_forward(y.fp32(), x.fp32(), bias.fp32(), rows, columns);
}

void CpuOps::gelu_backward(Operand dx, ConstOperand dy, ConstOperand x, std::size_t count) {
    element_.gelu_backward(dx.fp32(), dy.fp32(), x.fp32(), count);
}

void CpuOps::embedding_forward(float* y, const std::int32_t* tokens, const float* token_weight,
                               const float* position_weight, std::size_t B, std::size_t T, std::size_t C) {
    for (std::size_t row = 0; row < B * T; ++row) {
        copy(y + row * C, token_weight + static_cast<std::size_t>(tokens[row]) * C, C);
        add(y + row * C, position_weight + row % T * C, C);
    }
}

void CpuOps::embedding_backward(float* token_gradient, float* position_gradient, const float* dy,
                                const std::int32_t* tokens, std::size_t B, std::size_t T, std::size_t C) {
    for (std::size_t row = 0; row < B * T; ++row) {
        add(token_gradient + static_cast<std::size_t>(tokens[row]) * C, dy + row * C, C);
        add(position_gradient + row % T * C, dy + row * C, C);
    }
}

void CpuOps::softmax_cross_entropy(double* mean_loss, float* logits, const std::int32_t* targets,
                                   std::size_t rows, std::size_t V, float gradient_scale) {
    *mean_loss =
        row_.softmax_cross_entropy(logits, targets, rows, V, gradient_scale) / static_cast<double>(rows);
}

void CpuOps::adamw_step(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                        const AdamWStep& step) {
    const auto correction = [&](float beta) {
        return 1.0 - std::pow(static_cast<double>(beta), static_cast<double>(step.step));
    };
    element_.adamw_step(weight, m, v, gradient, count, step.gradient_scale, step.beta1, step.beta2,
                        step.epsilon, 1.0F - step.learning_rate * step.weight_decay,
                        static_cast<float>(static_cast<double>(step.learning_rate) / correction(step.beta1)),
                        static_cast<float>(std::sqrt(correction(step.beta2))));
}

}  // namespace bscope
