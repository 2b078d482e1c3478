// Matrix products for processors with AVX2 and FMA, by Goto's method (Goto, van de Geijn: Anatomy of
// High-Performance Matrix Multiplication, ACM TOMS 34(3), 2008): blocks of both factors are copied into the
// order in which they are read, and a tile of 6 x 16 sums stays in registers. The sums of an element have one
// order, which depends on the inner size alone. Only constants and the C language in here, see loops.h.
#include "kernels/cpu/simd/loops.h"
#include "kernels/cpu/simd/transpose.h"

namespace bscope::simd {
namespace {

constexpr std::size_t kTileRows = 6, kTileColumns = 2 * kWidth;
// Of a block: rows of the first factor and columns of the second are whole tiles. The first stays in the
// second-level cache, a panel of the second in the first-level one.
constexpr std::size_t kBlockRows = 96, kBlockColumns = 1024, kBlockInner = 512;
constexpr std::size_t kApart = kBlockInner + 16;  // rows a power of two apart would share few sets of a cache
constexpr std::size_t kFirstFloats = kBlockRows * kApart, kSecondFloats = kBlockInner * kBlockColumns;

constexpr std::size_t least(std::size_t a, std::size_t b) {
    return a < b ? a : b;
}

// From one number of a copied first factor to the next one of its column, and of its row.
struct Strides {
    std::size_t row, inner;
};

struct Tile {
    float* c;
    std::size_t stride;  // of c
    std::size_t rows, columns;
    float alpha, beta;
};

BSCOPE_INLINE void put(float* c, Vector sum, float alpha, float beta) {
    store(c, beta == 0.0F ? alpha * sum : alpha * sum + beta * load(c));
}

// `b`: a panel. What of the tile lies beyond the result is computed and dropped.
void multiply(const Tile& tile, const float* a, const Strides& strides, const float* b, std::size_t inner) {
    Vector sum[kTileRows][2] = {};
    for (std::size_t i = 0; i < kTileRows; ++i)
        if (i < tile.rows) __builtin_prefetch(tile.c + i * tile.stride, 1);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < inner; ++k, a += strides.inner, b += kTileColumns) {
        const Vector left = load(b), right = load(b + kWidth);
#pragma GCC unroll 6
        for (std::size_t i = 0; i < kTileRows; ++i) {
            sum[i][0] += a[i * strides.row] * left;
            sum[i][1] += a[i * strides.row] * right;
        }
    }
    if (tile.columns == kTileColumns) {
#pragma GCC unroll 6
        for (std::size_t i = 0; i < kTileRows; ++i) {
            if (i >= tile.rows) break;
            put(tile.c + i * tile.stride, sum[i][0], tile.alpha, tile.beta);
            put(tile.c + i * tile.stride + kWidth, sum[i][1], tile.alpha, tile.beta);
        }
        return;
    }
    float numbers[kTileRows][kTileColumns];
#pragma GCC unroll 6
    for (std::size_t i = 0; i < kTileRows; ++i) {
        store(numbers[i], sum[i][0]);
        store(numbers[i] + kWidth, sum[i][1]);
    }
    for (std::size_t i = 0; i < tile.rows; ++i) {
        float* const c = tile.c + i * tile.stride;
        for (std::size_t j = 0; j < tile.columns; ++j)
            c[j] = tile.alpha * numbers[i][j] + (tile.beta == 0.0F ? 0.0F : tile.beta * c[j]);
    }
}

// Rows as they are, so far apart.
void copyRows(float* to, const float* a, std::size_t stride, std::size_t rows, std::size_t inner) {
    for (std::size_t i = 0; i < rows; ++i, a += stride, to += kApart)
        for (std::size_t k = 0; k < inner; ++k) to[k] = a[k];
}

// Of a transposed factor: (inner, 6) for the rows of each tile.
void copyColumns(float* to, const float* a, std::size_t stride, std::size_t rows, std::size_t inner) {
    const std::size_t rest = rows % kTileRows, whole = rows - rest;
    for (std::size_t k = 0; k < inner; ++k, a += stride, to += kTileRows) {
        for (std::size_t i = 0; i < whole; i += kTileRows)
            __builtin_memcpy(to + i * kApart, a + i, sizeof(float) * kTileRows);
        for (std::size_t i = 0; i < rest; ++i) to[whole * kApart + i] = a[whole + i];
    }
}

// Panels of the second factor: (inner, 16) each, zeros beyond the last column.
void copyPanels(float* to, const float* b, std::size_t stride, std::size_t inner, std::size_t columns) {
    for (std::size_t first = 0; first < columns; first += kTileColumns, b += kTileColumns) {
        const std::size_t width = least(kTileColumns, columns - first);
        for (std::size_t k = 0; k < inner; ++k, to += kTileColumns) {
            const float* const from = b + k * stride;
            if (width == kTileColumns) {
                store(to, load(from));
                store(to + kWidth, load(from + kWidth));
            } else {
                for (std::size_t j = 0; j < kTileColumns; ++j) to[j] = j < width ? from[j] : 0.0F;
            }
        }
    }
}

// The same of a transposed factor.
void copyTransposedPanels(float* to, const float* b, std::size_t stride, std::size_t inner,
                          std::size_t columns) {
    for (std::size_t first = 0; first < columns; first += kTileColumns, b += kTileColumns * stride) {
        const std::size_t width = least(kTileColumns, columns - first);
        const std::size_t whole = width == kTileColumns ? inner - inner % kWidth : 0;
        for (std::size_t k = 0; k < whole; k += kWidth, to += kWidth * kTileColumns) {
            transposeSquare(to, kTileColumns, b + k, stride);
            transposeSquare(to + kWidth, kTileColumns, b + kWidth * stride + k, stride);
        }
        for (std::size_t k = whole; k < inner; ++k, to += kTileColumns)
            for (std::size_t j = 0; j < kTileColumns; ++j) to[j] = j < width ? b[j * stride + k] : 0.0F;
    }
}

void run(const Product& op, float* scratch) {
    float* const first = scratch;
    float* const second = scratch + kFirstFloats;
    const Strides strides = op.transpose_a ? Strides{1, kTileRows} : Strides{kApart, 1};
    for (std::size_t column = 0; column < op.columns; column += kBlockColumns) {
        const std::size_t columns = least(kBlockColumns, op.columns - column);
        for (std::size_t k = 0; k < op.inner; k += kBlockInner) {
            const std::size_t inner = least(kBlockInner, op.inner - k);
            const float beta = k == 0 ? op.beta : 1.0F;
            if (op.transpose_b)
                copyTransposedPanels(second, op.b + column * op.ldb + k, op.ldb, inner, columns);
            else
                copyPanels(second, op.b + k * op.ldb + column, op.ldb, inner, columns);
            for (std::size_t row = 0; row < op.rows; row += kBlockRows) {
                const std::size_t rows = least(kBlockRows, op.rows - row);
                if (op.transpose_a)
                    copyColumns(first, op.a + k * op.lda + row, op.lda, rows, inner);
                else
                    copyRows(first, op.a + row * op.lda + k, op.lda, rows, inner);
                for (std::size_t j = 0; j < columns; j += kTileColumns)
                    for (std::size_t i = 0; i < rows; i += kTileRows)
                        multiply({op.c + (row + i) * op.ldc + column + j, op.ldc, least(kTileRows, rows - i),
                                  least(kTileColumns, columns - j), op.alpha, beta},
                                 first + i * kApart, strides, second + j * inner, inner);
            }
        }
    }
}

}  // namespace

namespace BSCOPE_SIMD_LEVEL {
extern const ProductLoops product_loops;
const ProductLoops product_loops = {kFirstFloats + kSecondFloats, run};
}  // namespace BSCOPE_SIMD_LEVEL

}  // namespace bscope::simd
