// Matmul: matrix products of cuBLASLt, row-major, in the precision of its operations: fp32 without TF32, or
// operands rounded to bf16 and sums in fp32; results are fp32 in memory either way. What cuBLASLt has no
// fused kernel for, it says, and the caller does without. One thread at a time, one stream.
#pragma once

#include <cublasLt.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "kernels/cuda/handles.h"

namespace bscope::cuda {

// c (rows, columns) = alpha op(a) op(b) + beta c; leading dimensions count floats.
struct Product {
    float* c;
    const float *a, *b;
    bool transpose_a, transpose_b;
    std::size_t rows, columns, inner, lda, ldb, ldc;
    float alpha = 1.0F, beta = 0.0F;
};

enum class Fused {
    Nothing,
    Bias,          // + vector (columns)
    BiasGelu,      // matrix (rows, columns) = product + vector, c = gelu(matrix)
    GeluBackward,  // c = product gelu'(matrix)
    RowSums,       // vector (rows) = sums of the rows of op(a), overwritten
};

class Matmul {
public:
    Matmul(const BscopeStream& stream, int precision);
    ~Matmul();
    Matmul(const Matmul&) = delete;
    Matmul& operator=(const Matmul&) = delete;

    // False when cuBLASLt cannot do it in one kernel: then nothing has happened. Throws on errors, and when a
    // plain product is refused.
    bool run(const Product& product, Fused fused = Fused::Nothing, float* vector = nullptr,
             float* matrix = nullptr);
    std::size_t bytes() const { return workspace_.bytes() + a_.bytes() + b_.bytes(); }

private:
    using Key = std::array<std::size_t, 16>;
    std::optional<cublasLtMatmulAlgo_t> algorithm(const Key& key, cublasLtMatmulDesc_t description,
                                                  cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                  cublasLtMatrixLayout_t c);

    cudaStream_t stream_;
    bool bf16_;
    cublasLtHandle_t handle_ = nullptr;
    Scratch workspace_, a_, b_;  // cuBLASLt's, and the operands in bf16
    std::map<Key, std::optional<cublasLtMatmulAlgo_t>> algorithms_;
};

}  // namespace bscope::cuda
