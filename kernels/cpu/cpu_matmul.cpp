// Matrix products on the CPU, by oneDNN's sgemm.
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

// oneDNN walks down the columns of a transposed first factor. When its rows lie a multiple of 1 KiB apart, a
// column falls into few sets of the first-level cache and drives itself out: for 1024 x 256 numbers the
// product runs at 60 % of its rate with AVX2 and 85 % with AVX-512 (bench_operations). Copied first, part by
// part, to rows that do not lie so, it runs at its rate, the copying counted in. With more columns oneDNN
// uses what it has fetched often enough; with fewer, copying takes longer than it saves.
constexpr std::uint64_t kCollidingFloats = 256, kLeastColumns = 128, kMostColumns = 512;
constexpr std::uint64_t kPartRows = 512, kPartInner = 256;  // half a MiB, for the second-level cache
constexpr std::uint64_t kApart = 16;                        // a cache line more than a row is long

bool columnsCollide(const Matmul& op) {
    return op.transpose_a == Transpose::Yes && op.transpose_b == Transpose::No &&
           op.lda % kCollidingFloats == 0 && op.columns >= kLeastColumns && op.columns <= kMostColumns &&
           op.inner > 0;
}

}  // namespace

void CpuOps::run(const Matmul& op) {
    if (!columnsCollide(op)) return multiply(op);
    const std::uint64_t stride = std::min(op.rows, kPartRows) + kApart;
    copied_.resize(std::max<std::size_t>(copied_.size(), stride * std::min(op.inner, kPartInner)));
    for (std::uint64_t row = 0; row < op.rows; row += kPartRows) {
        for (std::uint64_t k = 0; k < op.inner; k += kPartInner) {
            Matmul part = op;
            part.rows = std::min(kPartRows, op.rows - row);
            part.inner = std::min(kPartInner, op.inner - k);
            const float* from = op.a.fp32() + k * op.lda + row;
            for (std::uint64_t i = 0; i < part.inner; ++i)
                std::copy_n(from + i * op.lda, part.rows, copied_.data() + i * stride);
            part.a = copied_.data();
            part.lda = stride;
            part.b = op.b + k * op.ldb;
            part.c = op.c + row * op.ldc;
            part.beta = k == 0 ? op.beta : 1.0F;
            multiply(part);
        }
    }
}

}  // namespace bscope
