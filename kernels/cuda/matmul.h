// Matmul: matrix products of cuBLASLt, row-major: in fp32 without TF32, or from bf16 operands with sums in
// fp32, whatever the result's precision in memory; then an fp32 operand is rounded first. What cuBLASLt has
// no fused kernel for, or what is not worth one on this GPU, it says, and the caller does without. One thread
// at a time, one stream.
#pragma once

#include <cublasLt.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "kernels/cuda/handles.h"

namespace bscope::cuda {

// Vectors and matrices have the precision of c.
enum class Fused {
    Nothing,
    Bias,          // + vector (columns)
    BiasGelu,      // matrix (rows, columns) = product + vector, c = gelu(matrix)
    GeluBackward,  // c = product gelu'(matrix)
    RowSums,       // vector (rows) = sums of the rows of op(a), overwritten
};

class Matmul {
public:
    Matmul(const BscopeStream& stream, Precision precision);
    ~Matmul();
    Matmul(const Matmul&) = delete;
    Matmul& operator=(const Matmul&) = delete;

    // c = alpha op(a) op(b) + beta added, which lies as c does, in its precision; null means c itself. False
    // when it is not to be done in one kernel, or cuBLASLt cannot: then nothing has happened. Throws on
    // errors, and when a plain product is refused.
    bool run(const BscopeMatmul& product, Fused fused = Fused::Nothing, void* vector = nullptr,
             void* matrix = nullptr, const void* added = nullptr);
    // The forms, as bits of the C interface, that were done in one kernel and that were not.
    std::uint32_t fused() const { return fused_; }
    std::uint32_t apart() const { return apart_; }
    std::size_t bytes() const { return workspace_.bytes() + a_.bytes() + b_.bytes(); }

private:
    using Key = std::array<std::size_t, 18>;
    bool tryRun(const BscopeMatmul& product, Fused fused, void* vector, void* matrix, const void* added);
    BscopeConstOperand rounded(BscopeConstOperand from, Scratch& to, std::size_t rows, std::size_t columns,
                               std::size_t& ld);
    std::optional<cublasLtMatmulAlgo_t> algorithm(const Key& key, cublasLtMatmulDesc_t description,
                                                  cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                  cublasLtMatrixLayout_t c);

    cudaStream_t stream_;
    bool bf16_;
    std::uint32_t tried_;  // forms, as bits of the C interface
    cublasLtHandle_t handle_ = nullptr;
    Scratch workspace_, a_, b_;  // cuBLASLt's, and rounded operands
    std::map<Key, std::optional<cublasLtMatmulAlgo_t>> algorithms_;
    std::uint32_t fused_ = 0, apart_ = 0;
};

}  // namespace bscope::cuda
