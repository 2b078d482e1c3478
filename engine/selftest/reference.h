// Reference implementations of the operations, in double precision and as plain as possible. Shapes and
// letters as in kernels/operations.h. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bscope::reference {

using Values = std::vector<double>;

// op(a) (rows, inner) op(b) (inner, columns), both without gaps.
Values product(const Values& a, const Values& b, bool transpose_a, bool transpose_b, std::size_t rows,
               std::size_t columns, std::size_t inner);
Values plusBias(Values y, const Values& bias, const Values& residual);  // residual may be empty
Values columnSums(const Values& dy, std::size_t columns);

double gelu(double x);
double geluDerivative(double x);

struct LayerNorm {
    Values y, mean, rstd;
};
LayerNorm layernorm(const Values& x, const Values& weight, const Values& bias);
struct LayerNormGradients {
    Values dx, weight_sum, bias_sum;
};
LayerNormGradients layernormBackward(const Values& dy, const Values& x, const Values& weight,
                                     const Values& d_residual);

struct AttentionSizes {
    std::size_t B, T, C, heads;
};
Values attention(const Values& qkv, const AttentionSizes& sizes);                            // (B, T, C)
Values attentionBackward(const Values& dy, const Values& qkv, const AttentionSizes& sizes);  // (B, T, 3C)

struct CrossEntropy {
    double mean_loss;
    Values gradient;  // (rows, V)
};
CrossEntropy crossEntropy(const Values& logits, const std::vector<std::int32_t>& targets,
                          double gradient_scale);

}  // namespace bscope::reference
