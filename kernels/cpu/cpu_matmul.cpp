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

// Where the rows of a factor lie a multiple of 4 KiB apart, a column of it falls into one set of the
// first-level cache and drives itself out. With AVX-512 oneDNN does not always copy such a factor before it
// multiplies; then a copy made here, part by part, whose rows do not lie so, gains more than it costs.
// Measured on a Zen 4, GFLOP/s without and with the copy, factors not in the cache:
//   dW = dy^T x of few columns, dy copied, 1024 x 256 from 512 rows: 103, 108. Rows not a multiple of 4 KiB
//     apart would lose 2 to 4 %
//   y = x W^T, W copied and transposed, 1024 x 1024: 512 rows 104, 108; 128 rows 89, 99; 16 rows 35, 50. From
//     2048 rows on the copy would lose 2 %. W of 256 x 256, which does not lie so, 512 rows: 101, 105
constexpr std::uint64_t kCollidingFloats = 1024;
constexpr std::uint64_t kLeast = 128, kFew = 512, kManyRows = 1024;
constexpr std::uint64_t kApart = 16;  // a cache line more than a row is long

struct Part {
    std::uint64_t inner, width;
};
constexpr Part kPartOfFirst{256, 1024};   // a MiB, for the second-level cache
constexpr Part kPartOfSecond{1024, 512};  // 2 MiB: few parts, since each copies the other factor once more

bool copiesFirst(const Matmul& op) {
    const bool is_of_columns =
        op.transpose_a == Transpose::Yes && op.transpose_b == Transpose::No && op.inner > 0;
    return is_of_columns && op.lda % kCollidingFloats == 0 && op.columns >= kLeast && op.columns <= kFew;
}

bool transposesSecond(const Matmul& op) {
    if (op.transpose_a == Transpose::Yes || op.transpose_b == Transpose::No || op.inner == 0) return false;
    const bool collides = op.ldb % kCollidingFloats == 0 && op.rows <= kManyRows;
    const bool is_narrow = op.columns >= kLeast && op.columns < kFew && op.rows >= 2 * kLeast;
    return collides || is_narrow;
}

}  // namespace

void CpuOps::choose(Products products) {
    if (products == Products::Loops && level_.products == nullptr)
        throw std::invalid_argument("the loops for matrix products need AVX2, which this processor lacks");
    products_ = level_.loopsFor(products);
}

float* CpuOps::scratch(std::size_t floats) {
    scratch_.resize(std::max(scratch_.size(), floats));
    return scratch_.data();
}

void CpuOps::run(const Matmul& op) {
    if (products_ != nullptr && op.inner > 0) return multiplyByLoops(op);
    if (copiesFirst(op)) return multiplyCopied(op);
    if (transposesSecond(op)) return multiplyTransposed(op);
    multiply(op);
}

void CpuOps::multiplyCopied(const Matmul& op) {
    for (std::uint64_t row = 0; row < op.rows; row += kPartOfFirst.width) {
        for (std::uint64_t k = 0; k < op.inner; k += kPartOfFirst.inner) {
            Matmul part = op;
            part.rows = std::min(kPartOfFirst.width, op.rows - row);
            part.inner = std::min(kPartOfFirst.inner, op.inner - k);
            part.lda = part.rows + kApart;
            float* const copy = scratch(part.lda * part.inner);
            for (std::uint64_t i = 0; i < part.inner; ++i)
                std::copy_n(op.a.fp32() + (k + i) * op.lda + row, part.rows, copy + i * part.lda);
            part.a = copy;
            part.b = op.b + k * op.ldb;
            part.c = op.c + row * op.ldc;
            part.beta = k == 0 ? op.beta : 1.0F;
            multiply(part);
        }
    }
}

void CpuOps::multiplyTransposed(const Matmul& op) {
    for (std::uint64_t column = 0; column < op.columns; column += kPartOfSecond.width) {
        for (std::uint64_t k = 0; k < op.inner; k += kPartOfSecond.inner) {
            Matmul part = op;
            part.columns = std::min(kPartOfSecond.width, op.columns - column);
            part.inner = std::min(kPartOfSecond.inner, op.inner - k);
            part.transpose_b = Transpose::No;
            part.ldb = part.columns + kApart;
            float* const copy = scratch(part.ldb * part.inner);
            level_.element.transpose(copy, part.ldb, op.b.fp32() + column * op.ldb + k, op.ldb, part.columns,
                                     part.inner);
            part.a = op.a + k;
            part.b = copy;
            part.c = op.c + column;
            part.beta = k == 0 ? op.beta : 1.0F;
            multiply(part);
        }
    }
}

void CpuOps::multiplyByLoops(const Matmul& op) {
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
                   scratch(products_->scratch_floats));
}

}  // namespace bscope
