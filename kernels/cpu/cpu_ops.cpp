// The CPU's operations but matrix products and attention, which have files of their own.
#include "kernels/cpu/cpu_ops.h"

#include <cmath>
#include <cstring>

namespace bscope {

void CpuOps::run(const CopyFloats& op) {
    std::memcpy(op.to, op.from, op.count * sizeof(float));
}

void CpuOps::run(const FillZero& op) {
    std::memset(op.x, 0, op.count * sizeof(float));
}

void CpuOps::run(const Round& op) {
    run(CopyFloats{.to = op.to.fp32(), .from = op.from, .count = op.count});
}

void CpuOps::run(const Add& op) {
    level_.element.add(op.y, op.x, op.count);
}

void CpuOps::run(const AddBias& op) {
    level_.element.add_bias(op.y.fp32(), op.bias.fp32(), op.rows, op.columns);
}

void CpuOps::run(const AddBiasResidual& op) {
    level_.element.add_bias_residual(op.y, op.bias, op.residual, op.rows, op.columns);
}

void CpuOps::run(const BiasGeluForward& op) {
    level_.element.bias_gelu_forward(op.y.fp32(), op.x.fp32(), op.bias.fp32(), op.rows, op.columns);
}

void CpuOps::run(const GeluBackward& op) {
    level_.element.gelu_backward(op.dx.fp32(), op.dy.fp32(), op.x.fp32(), op.count);
}

void CpuOps::run(const AdamW& op) {
    const AdamWStep& step = op.step;
    const auto correction = [&](float beta) {
        return 1.0 - std::pow(static_cast<double>(beta), static_cast<double>(step.step));
    };
    level_.element.adamw_step(
        op.weight, op.m, op.v, op.gradient, op.count, step.gradient_scale, step.beta1, step.beta2,
        step.epsilon, 1.0F - step.learning_rate * step.weight_decay,
        static_cast<float>(static_cast<double>(step.learning_rate) / correction(step.beta1)),
        static_cast<float>(std::sqrt(correction(step.beta2))));
}

void CpuOps::run(const SumOfSquares& op) {
    *op.result = level_.element.sum_of_squares(op.x, op.count);
}

void CpuOps::run(const BiasBackward& op) {
    level_.element.bias_backward(op.d_bias, op.dy.fp32(), op.rows, op.columns);
}

void CpuOps::run(const LayernormForward& op) {
    level_.row.layernorm_forward(op.y.fp32(), op.mean, op.rstd, op.x, op.weight, op.bias, op.rows, op.C);
}

void CpuOps::run(const LayernormBackward& op) {
    level_.row.layernorm_backward(op.dx, op.weight_sum, op.bias_sum, op.dy, op.x, op.mean, op.rstd, op.weight,
                                  op.d_residual, op.rows, op.C);
}

void CpuOps::run(const EmbeddingForward& op) {
    for (std::size_t row = 0; row < op.B * op.T; ++row) {
        float* const y = op.y + row * op.C;
        const std::size_t token = static_cast<std::size_t>(op.tokens[row]) - op.first;  // huge below it
        if (token < op.V)
            std::memcpy(y, op.token_weight + token * op.C, op.C * sizeof(float));
        else
            std::memset(y, 0, op.C * sizeof(float));
        if (op.position_weight) level_.element.add(y, op.position_weight + row % op.T * op.C, op.C);
    }
}

void CpuOps::run(const EmbeddingBackward& op) {
    for (std::size_t row = 0; row < op.B * op.T; ++row) {
        const float* const dy = op.dy + row * op.C;
        const std::size_t token = static_cast<std::size_t>(op.tokens[row]) - op.first;  // huge below it
        if (token < op.V) level_.element.add(op.token_gradient + token * op.C, dy, op.C);
        level_.element.add(op.position_gradient + row % op.T * op.C, dy, op.C);
    }
}

void CpuOps::run(const SoftmaxCrossEntropy& op) {
    *op.mean_loss = level_.row.softmax_cross_entropy(op.logits, op.targets, op.rows, op.V,
                                                     static_cast<float>(op.gradient_scale)) /
                    static_cast<double>(op.rows);
}

void CpuOps::run(const RowMaximum& op) {
    level_.row.row_maximum(op.maxima, op.x, op.rows, op.columns);
}

void CpuOps::run(const SoftmaxPart& op) {
    level_.row.softmax_part({op.logits, op.targets, op.rows, op.V, op.first}, op.sums, op.target_logits,
                            op.maxima, op.parts);
}

void CpuOps::run(const CrossEntropyPart& op) {
    *op.mean_loss = level_.row.cross_entropy_part({op.logits, op.targets, op.rows, op.V, op.first}, op.sums,
                                                  op.target_logits, static_cast<float>(op.gradient_scale)) /
                    static_cast<double>(op.rows);
}

}  // namespace bscope
