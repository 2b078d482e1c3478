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

// A product of transposed rows, dW = dy^T x, reads both factors down their columns. Where the rows of one lie
// a multiple of 1 KiB apart, a column falls into few sets of the first-level cache and drives itself out,
// unless oneDNN makes a copy of its own, which it does not where the other factor has few columns. Such a
// factor is copied first, part by part, to rows that do not lie so. For 1024 x 256 numbers that makes 70
// GFLOP/s with AVX2 into 115 and 179 with AVX-512 into 213, the copying counted in (bench_operations). With
// AVX-512 only the first factor gains.
constexpr std::uint64_t kCollidingFloats = 256, kLeast = 128, kFew = 512;
constexpr std::uint64_t kPartInner = 256, kPartWidth = 1024;  // a MiB, for the second-level cache
constexpr std::uint64_t kApart = 16;                          // a cache line more than a row is long

bool isFew(std::uint64_t columns) {
    return columns >= kLeast && columns <= kFew;
}

bool copiesFirst(const Matmul& op) {
    return op.lda % kCollidingFloats == 0 && isFew(op.columns);
}

bool copiesSecond(const Matmul& op) {
    static const bool is_avx512 =
        (dnnl_get_effective_cpu_isa() & dnnl_cpu_isa_avx512_core) == dnnl_cpu_isa_avx512_core;
    return !is_avx512 && op.ldb % kCollidingFloats == 0 && isFew(op.rows);
}

// A part of a factor: `inner` rows of `width` numbers.
std::uint64_t copyPart(std::vector<float>& to, const float* from, std::uint64_t stride, std::uint64_t inner,
                       std::uint64_t width) {
    const std::uint64_t apart = width + kApart;
    to.resize(std::max<std::size_t>(to.size(), apart * inner));
    for (std::uint64_t i = 0; i < inner; ++i) std::copy_n(from + i * stride, width, to.data() + i * apart);
    return apart;
}

}  // namespace

void CpuOps::run(const Matmul& op) {
    const bool is_of_columns =
        op.transpose_a == Transpose::Yes && op.transpose_b == Transpose::No && op.inner > 0;
    const bool first = is_of_columns && copiesFirst(op), second = is_of_columns && copiesSecond(op);
    if (!first && !second) return multiply(op);
    const std::uint64_t most_rows = first ? kPartWidth : op.rows;
    const std::uint64_t most_columns = second ? kPartWidth : op.columns;
    for (std::uint64_t row = 0; row < op.rows; row += most_rows) {
        for (std::uint64_t column = 0; column < op.columns; column += most_columns) {
            for (std::uint64_t k = 0; k < op.inner; k += kPartInner) {
                Matmul part = op;
                part.rows = std::min(most_rows, op.rows - row);
                part.columns = std::min(most_columns, op.columns - column);
                part.inner = std::min(kPartInner, op.inner - k);
                part.a = op.a + (k * op.lda + row);
                part.b = op.b + (k * op.ldb + column);
                part.c = op.c + (row * op.ldc + column);
                part.beta = k == 0 ? op.beta : 1.0F;
                if (first) {
                    part.lda = copyPart(first_copied_, part.a.fp32(), op.lda, part.inner, part.rows);
                    part.a = first_copied_.data();
                }
                if (second) {
                    part.ldb = copyPart(second_copied_, part.b.fp32(), op.ldb, part.inner, part.columns);
                    part.b = second_copied_.data();
                }
                multiply(part);
            }
        }
    }
}

}  // namespace bscope
