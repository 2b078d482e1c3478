// Matrix products on the CPU: by loops of our own or by oneDNN's sgemm, as chosen; usually by the loops where
// they are the quicker ones, with AVX2 and without AVX-512.
#include <dnnl.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/cpu/cpu_ops.h"

namespace bscope {

namespace {

void multiply(const Matmul& op) {
    const auto size = [](std::size_t n) { return static_cast<dnnl_dim_t>(n); };
    const auto letter = [](Transpose t) { return t == Transpose::Yes ? 'T' : 'N'; };
    const dnnl_status_t status = dnnl_sgemm(
        letter(op.transpose_a), letter(op.transpose_b), size(op.rows), size(op.columns), size(op.inner),
        op.alpha, op.a.fp32(), size(op.lda), op.b.fp32(), size(op.ldb), op.beta, op.c.fp32(), size(op.ldc));
    if (status != dnnl_success)
        throw std::runtime_error("oneDNN refused a matrix product of " + std::to_string(op.rows) + " x " +
                                 std::to_string(op.columns) + " x " + std::to_string(op.inner) + ", status " +
                                 std::to_string(static_cast<int>(status)));
}

// A product of transposed rows, dW = dy^T x, reads both factors down their columns. Where the rows of one lie
// a multiple of 1 KiB apart, a column falls into few sets of the first-level cache and drives itself out,
// unless oneDNN makes a copy of its own, which it does not where the other factor has few columns. With
// AVX-512 the first factor gains from being copied, part by part, to rows that do not lie so: for 1024 x 256
// numbers that makes 179 GFLOP/s into 213, the copying counted in (bench_operations).
constexpr std::uint64_t kCollidingFloats = 256, kLeast = 128, kFew = 512;
constexpr std::uint64_t kPartInner = 256, kPartWidth = 1024;  // a MiB, for the second-level cache
constexpr std::uint64_t kApart = 16;                          // a cache line more than a row is long

bool copiesFirst(const Matmul& op) {
    const bool is_of_columns =
        op.transpose_a == Transpose::Yes && op.transpose_b == Transpose::No && op.inner > 0;
    return is_of_columns && op.lda % kCollidingFloats == 0 && op.columns >= kLeast && op.columns <= kFew;
}

}  // namespace

void CpuOps::choose(Products products) {
    if (products == Products::Loops && level_.products == nullptr)
        throw std::invalid_argument("the loops for matrix products need AVX2, which this processor lacks");
    products_ = level_.loopsFor(products);
}

void CpuOps::run(const Matmul& op) {
    if (products_ != nullptr && op.inner > 0) return multiplyByLoops(op);
    if (!copiesFirst(op)) return multiply(op);
    for (std::uint64_t row = 0; row < op.rows; row += kPartWidth) {
        for (std::uint64_t k = 0; k < op.inner; k += kPartInner) {
            Matmul part = op;
            part.rows = std::min(kPartWidth, op.rows - row);
            part.inner = std::min(kPartInner, op.inner - k);
            part.lda = part.rows + kApart;
            scratch_.resize(std::max<std::size_t>(scratch_.size(), part.lda * part.inner));
            for (std::uint64_t i = 0; i < part.inner; ++i)
                std::copy_n(op.a.fp32() + (k + i) * op.lda + row, part.rows, scratch_.data() + i * part.lda);
            part.a = scratch_.data();
            part.b = op.b + k * op.ldb;
            part.c = op.c + row * op.ldc;
            part.beta = k == 0 ? op.beta : 1.0F;
            multiply(part);
        }
    }
}

void CpuOps::multiplyByLoops(const Matmul& op) {
    scratch_.resize(std::max(scratch_.size(), products_->scratch_floats));
    products_->run({.c = op.c.fp32(),
                    .a = op.a.fp32(),
                    .b = op.b.fp32(),
                    .transpose_a = op.transpose_a == Transpose::Yes,
                    .transpose_b = op.transpose_b == Transpose::Yes,
                    .rows = op.rows,
                    .columns = op.columns,
                    .inner = op.inner,
                    .alpha = op.alpha,
                    .beta = op.beta,
                    .lda = op.lda,
                    .ldb = op.ldb,
                    .ldc = op.ldc},
                   scratch_.data());
}

}  // namespace bscope
