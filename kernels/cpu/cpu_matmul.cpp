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

void CpuOps::run(const Matmul& op) {
    if (products_ != nullptr && op.inner > 0) return multiplyByLoops(op);
    if (copiesFirst(op)) return multiplyCopied(op, Factor::First);
    if (transposesSecond(op)) return multiplyCopied(op, Factor::Second);
    multiply(op);
}

// The second factor is transposed on the way.
void CpuOps::multiplyCopied(const Matmul& op, Factor copied) {
    const bool first = copied == Factor::First;
    const Part& size = first ? kPartOfFirst : kPartOfSecond;
    const std::uint64_t whole = first ? op.rows : op.columns;
    for (std::uint64_t at = 0; at < whole; at += size.width) {
        for (std::uint64_t k = 0; k < op.inner; k += size.inner) {
            Matmul part = op;
            const std::uint64_t width = std::min(size.width, whole - at), stride = width + kApart;
            part.inner = std::min(size.inner, op.inner - k);
            part.beta = k == 0 ? op.beta : 1.0F;
            float* const copy = atLeast(scratch_, stride * part.inner);
            if (first) {
                for (std::uint64_t i = 0; i < part.inner; ++i)
                    std::copy_n(op.a.fp32() + (k + i) * op.lda + at, width, copy + i * stride);
                part.a = copy;
                part.lda = stride;
                part.rows = width;
                part.b = op.b + k * op.ldb;
                part.c = op.c + at * op.ldc;
            } else {
                level_.element.transpose(copy, stride, op.b.fp32() + at * op.ldb + k, op.ldb, width,
                                         part.inner);
                part.b = copy;
                part.ldb = stride;
                part.transpose_b = Transpose::No;
                part.columns = width;
                part.a = op.a + k;
                part.c = op.c + at;
            }
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
                   atLeast(scratch_, products_->scratch_floats));
}

}  // namespace bscope
