// Causal attention on the CPU: per sample and head, in blocks of query rows. A block of rows needs only the
// keys up to its own end, and stays in the cache between the product that makes it and the one that uses it.
// What every block multiplies with transposed, keys and in backward values, is transposed once for all
// blocks: rows 3 C apart often fall into few sets of the first-level cache.
// Forward: S = Q K^T / sqrt(d), P = softmax(S), Y = P V.
// Backward: dP = dY V^T, dS = P (dP - rowsum(P dP)), dQ = dS K / sqrt(d), dK = dS^T Q / sqrt(d), dV = P^T dY.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/cpu_ops.h"

namespace bscope {

namespace {

constexpr std::size_t kBlockRows = 64;

// A matrix inside a larger one: so many numbers from one row to the next.
struct Matrix {
    const float* numbers;
    std::size_t stride;
    Transpose transpose = Transpose::No;
};

struct Result {
    float* numbers;
    std::size_t stride;
    std::size_t rows, columns;
};

// c = factor a b + kept c
Matmul product(const Result& c, const Matrix& a, const Matrix& b, std::size_t inner, float factor,
               float kept) {
    return {.c = c.numbers,
            .a = a.numbers,
            .b = b.numbers,
            .transpose_a = a.transpose,
            .transpose_b = b.transpose,
            .rows = c.rows,
            .columns = c.columns,
            .inner = inner,
            .alpha = factor,
            .beta = kept,
            .lda = a.stride,
            .ldb = b.stride,
            .ldc = c.stride};
}

}  // namespace

void CpuOps::run(const AttentionForward& op) {
    run(SegmentAttentionForward{.y = op.y,
                                .kept = op.kept,
                                .qkv = op.qkv,
                                .B = op.B,
                                .T = op.T,
                                .C = op.C,
                                .heads = op.heads,
                                .first = 0,
                                .tokens = op.T});
}

void CpuOps::run(const SegmentAttentionForward& op) {
    const std::size_t T = op.T, C = op.C, d = C / op.heads, tokens = op.tokens, past = op.first + T;
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    float* const keys_transposed = atLeast(workspace_, d * (past + kApart));  // (d, past)
    for (std::size_t b = 0; b < op.B; ++b) {
        for (std::size_t head = 0; head < op.heads; ++head) {
            const float* q = op.qkv.fp32() + b * tokens * 3 * C + head * d;
            const float* k = q + C;
            const float* v = q + 2 * C;
            q += op.first * 3 * C;
            float* p = op.kept + (b * op.heads + head) * T * tokens;
            float* out = op.y.fp32() + b * T * C + head * d;
            level_.element.transpose(keys_transposed, past + kApart, k, 3 * C, past, d);
            for (std::size_t row = 0; row < T; row += kBlockRows) {
                const std::size_t rows = std::min(kBlockRows, T - row);
                const std::size_t keys = op.first + row + rows;
                run(product({p + row * tokens, tokens, rows, keys}, {q + row * 3 * C, 3 * C},
                            {keys_transposed, past + kApart}, d, scale, 0.0F));
                level_.row.causal_softmax_forward(p + row * tokens, op.first + row, rows, tokens);
                run(product({out + row * C, C, rows, d}, {p + row * tokens, tokens}, {v, 3 * C}, keys, 1.0F,
                            0.0F));
            }
        }
    }
}

void CpuOps::run(const AttentionBackward& op) {
    attention({.d_qkv = op.d_qkv.fp32(),
               .dy = op.dy,
               .y = op.y,
               .kept = op.kept,
               .qkv = op.qkv,
               .B = op.B,
               .T = op.T,
               .C = op.C,
               .heads = op.heads,
               .first = 0,
               .tokens = op.T},
              Gradients::Overwritten);
}

void CpuOps::run(const SegmentAttentionBackward& op) {
    attention(op, Gradients::Added);
}

// Later rows first: the last block reaches every key and starts the sums of dK and dV. Queries are done with
// once their block is, so where gradients overwrite dQ may take their place; keys and values are needed to
// the end.
void CpuOps::attention(const SegmentAttentionBackward& op, Gradients gradients) {
    const std::size_t T = op.T, C = op.C, d = C / op.heads, tokens = op.tokens, past = op.first + T;
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    const float before = gradients == Gradients::Added ? 1.0F : 0.0F;
    const std::size_t scores = std::min(kBlockRows, T) * tokens;
    float* d_scores = atLeast(workspace_, scores + 2 * past * d + d * (past + kApart));  // (rows, tokens)
    float* d_keys = d_scores + scores;                                                   // (past, d)
    float* d_values = d_keys + past * d;                                                 // (past, d)
    float* values_transposed = d_values + past * d;                                      // (d, past)
    const auto put = [gradients, d](const float* from, float* to) {
        for (std::size_t i = 0; i < d; ++i) to[i] = gradients == Gradients::Added ? to[i] + from[i] : from[i];
    };
    for (std::size_t b = 0; b < op.B; ++b) {
        for (std::size_t head = 0; head < op.heads; ++head) {
            const float* q = op.qkv.fp32() + b * tokens * 3 * C + head * d;
            const float* k = q + C;
            const float* v = q + 2 * C;
            q += op.first * 3 * C;
            const float* p = op.kept + (b * op.heads + head) * T * tokens;
            const float* d_out = op.dy.fp32() + b * T * C + head * d;
            float* d_qkv = op.d_qkv + b * tokens * 3 * C + head * d;
            float* d_q = d_qkv + op.first * 3 * C;
            level_.element.transpose(values_transposed, past + kApart, v, 3 * C, past, d);
            for (std::size_t block = (T - 1) / kBlockRows + 1; block-- > 0;) {
                const std::size_t row = block * kBlockRows;
                const std::size_t rows = std::min(kBlockRows, T - row);
                const std::size_t keys = op.first + row + rows;
                const float sum = keys == past ? 0.0F : 1.0F;
                run(product({d_values, d, keys, d}, {p + row * tokens, tokens, Transpose::Yes},
                            {d_out + row * C, C}, rows, 1.0F, sum));
                run(product({d_scores, tokens, rows, keys}, {d_out + row * C, C},
                            {values_transposed, past + kApart}, d, 1.0F, 0.0F));
                level_.row.causal_softmax_backward(d_scores, p + row * tokens, op.first + row, rows, keys,
                                                   tokens);
                run(product({d_keys, d, keys, d}, {d_scores, tokens, Transpose::Yes},
                            {q + row * 3 * C, 3 * C}, rows, scale, sum));
                run(product({d_q + row * 3 * C, 3 * C, rows, d}, {d_scores, tokens}, {k, 3 * C}, keys, scale,
                            before));
            }
            for (std::size_t t = 0; t < past; ++t) {
                put(d_keys + t * d, d_qkv + t * 3 * C + C);
                put(d_values + t * d, d_qkv + t * 3 * C + 2 * C);
            }
        }
    }
}

}  // namespace bscope
