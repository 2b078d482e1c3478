// The CPU's own loops (everything but matrix products), compiled once per instruction set and chosen when the
// program runs (kernels/cpu/simd_level.h). Sources in this folder use no templates and no inline functions of
// the standard library, so that no wide instruction slips into code that every CPU runs. Arguments are as in
// kernels/operations.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bscope::simd {

struct ElementLoops {
    void (*add)(float* y, const float* x, std::size_t count);
    double (*sum_of_squares)(const float* x, std::size_t count);
    void (*add_bias)(float* y, const float* bias, std::size_t rows, std::size_t columns);
    void (*add_bias_residual)(float* y, const float* bias, const float* residual, std::size_t rows,
                              std::size_t columns);
    void (*bias_backward)(float* bias_gradient, const float* dy, std::size_t rows, std::size_t columns);
    void (*bias_gelu_forward)(float* y, float* x, const float* bias, std::size_t rows, std::size_t columns);
    void (*gelu_backward)(float* dx, const float* dy, const float* x, std::size_t count);
    // decay = 1 - learning_rate weight_decay; rate = learning_rate / bias correction 1; the square root of v
    // is divided by root_correction = sqrt(bias correction 2).
    void (*adamw_step)(float* weight, float* m, float* v, const float* gradient, std::size_t count,
                       float gradient_scale, float beta1, float beta2, float epsilon, float decay, float rate,
                       float root_correction);
    // to (columns, rows) = from (rows, columns) transposed; strides from one row to the next.
    void (*transpose)(float* to, std::size_t to_stride, const float* from, std::size_t stride,
                      std::size_t rows, std::size_t columns);
};

// Columns first .. first + V - 1 of logits.
struct LogitsPart {
    float* logits;  // (rows, V)
    const std::int32_t* targets;
    std::size_t rows, V, first;
};

struct RowLoops {
    void (*layernorm_forward)(float* y, float* mean, float* rstd, const float* x, const float* weight,
                              const float* bias, std::size_t rows, std::size_t C);
    void (*layernorm_backward)(float* dx, float* weight_sum, float* bias_sum, const float* dy, const float* x,
                               const float* mean, const float* rstd, const float* weight,
                               const float* d_residual, std::size_t rows, std::size_t C);
    // Rows first_row .. of a causal (T, T) square; each becomes a softmax over its first row + 1 columns and
    // zeros.
    void (*causal_softmax_forward)(float* scores, std::size_t first_row, std::size_t rows, std::size_t T);
    // d_scores (rows, T) from d_probabilities in the same place; columns up to `width` > every row hold
    // numbers.
    void (*causal_softmax_backward)(float* d_scores, const float* probabilities, std::size_t first_row,
                                    std::size_t rows, std::size_t width, std::size_t T);
    // Sum of the rows' cross-entropies.
    double (*softmax_cross_entropy)(float* logits, const std::int32_t* targets, std::size_t rows,
                                    std::size_t V, float gradient_scale);
    void (*row_maximum)(float* maxima, const float* x, std::size_t rows, std::size_t columns);
    void (*softmax_part)(const LogitsPart& part, float* sums, float* target_logits, const float* maxima,
                         std::size_t parts);
    // As softmax_cross_entropy: a sum.
    double (*cross_entropy_part)(const LogitsPart& part, const float* sums, const float* target_logits,
                                 float gradient_scale);
};

// c = alpha a b + beta c, row-major, as Matmul; c is not read when beta is 0.
struct Product {
    float* c;
    const float *a, *b;
    bool transpose_a, transpose_b;
    std::size_t rows, columns, inner;
    float alpha, beta;
    std::size_t lda, ldb, ldc;
};

struct ProductLoops {
    std::size_t scratch_floats;
    void (*run)(const Product& op, float* scratch);
};

}  // namespace bscope::simd
