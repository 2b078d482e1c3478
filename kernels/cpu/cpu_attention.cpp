// Causal attention on the CPU: per sample and head, in blocks of query rows. A block of rows needs only the
// keys up to its own end, and stays in the cache between the product that makes it and the one that uses it.
// Forward: S = Q K^T / sqrt(d), P = softmax(S), Y = P V.
// Backward: dP = dY V^T, dS = P (dP - rowsum(P dP)), dQ = dS K / sqrt(d), dK = dS^T Q / sqrt(d), dV = P^T dY.
#include <algorithm>
#include <cmath>

#include "kernels/cpu/cpu_ops.h"

namespace bscope {

namespace {
constexpr std::size_t kBlockRows = 128;
}

void CpuOps::attention_forward(Operand y, float* probabilities, ConstOperand qkv, std::size_t B,
                               std::size_t T, std::size_t C, std::size_t heads) {
    const std::size_t d = C / heads;
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t head = 0; head < heads; ++head) {
            const float* q = qkv.fp32() + b * T * 3 * C + head * d;
            const float* k = q + C;
            const float* v = q + 2 * C;
            float* p = probabilities + (b * heads + head) * T * T;
            float* out = y.fp32() + b * T * C + head * d;
            for (std::size_t row = 0; row < T; row += kBlockRows) {
                const std::size_t rows = std::min(kBlockRows, T - row);
                const std::size_t keys = row + rows;
                matmul(p + row * T, q + row * 3 * C, k, Transpose::No, Transpose::Yes, rows, keys, d, scale,
                       0.0F, 3 * C, 3 * C, T);
                row_.causal_softmax_forward(p + row * T, row, rows, T);
                matmul(out + row * C, p + row * T, v, Transpose::No, Transpose::No, rows, d, keys, 1.0F, 0.0F,
                       T, 3 * C, C);
            }
        }
    }
}

// Later rows first: the last block reaches every key and starts the sums of dK and dV. Queries are done with
// once their block is, so dQ may take their place; keys and values are needed to the end.
void CpuOps::attention_backward(Operand d_qkv, ConstOperand dy, ConstOperand /*y*/,
                                const float* probabilities, ConstOperand qkv, std::size_t B, std::size_t T,
                                std::size_t C, std::size_t heads) {
    const std::size_t d = C / heads;
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    workspace_.resize(std::max(workspace_.size(), std::min(kBlockRows, T) * T + 2 * T * d));
    float* d_scores = workspace_.data();                     // (rows, T)
    float* d_keys = d_scores + std::min(kBlockRows, T) * T;  // (T, d)
    float* d_values = d_keys + T * d;                        // (T, d)
    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t head = 0; head < heads; ++head) {
            const float* q = qkv.fp32() + b * T * 3 * C + head * d;
            const float* k = q + C;
            const float* v = q + 2 * C;
            const float* p = probabilities + (b * heads + head) * T * T;
            const float* d_out = dy.fp32() + b * T * C + head * d;
            float* d_q = d_qkv.fp32() + b * T * 3 * C + head * d;
            for (std::size_t block = (T - 1) / kBlockRows + 1; block-- > 0;) {
                const std::size_t row = block * kBlockRows;
                const std::size_t rows = std::min(kBlockRows, T - row);
                const std::size_t keys = row + rows;
                const float sum = keys == T ? 0.0F : 1.0F;
                matmul(d_values, p + row * T, d_out + row * C, Transpose::Yes, Transpose::No, keys, d, rows,
                       1.0F, sum, T, C, d);
                matmul(d_scores, d_out + row * C, v, Transpose::No, Transpose::Yes, rows, keys, d, 1.0F, 0.0F,
                       C, 3 * C, T);
                row_.causal_softmax_backward(d_scores, p + row * T, row, rows, keys, T);
                matmul(d_keys, d_scores, q + row * 3 * C, Transpose::Yes, Transpose::No, keys, d, rows, scale,
                       sum, T, 3 * C, d);
                matmul(d_q + row * 3 * C, d_scores, k, Transpose::No, Transpose::No, rows, d, keys, scale,
                       0.0F, T, 3 * C, 3 * C);
            }
            for (std::size_t t = 0; t < T; ++t) {
                copy(d_q + t * 3 * C + C, d_keys + t * d, d);
                copy(d_q + t * 3 * C + 2 * C, d_values + t * d, d);
            }
        }
    }
}

}  // namespace bscope
