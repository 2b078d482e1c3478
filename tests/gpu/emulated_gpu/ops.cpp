// Operations of the CPU, handed to a stream; operands in bf16 are widened before and rounded after. Attention
// keeps one number a row and head, as a GPU does: the
// backward makes the probabilities again and refuses numbers that are not the forward's.
#include <memory>

#include "emulated.h"
#include "kernels/cpu/cpu_ops.h"
#include "kernels/plugin/bf16.h"

struct BscopeOps {
    BscopeStream& stream;
    bscope::CpuOps cpu;
    std::vector<float> probabilities, result;  // of attention
};

namespace emulated {

namespace {

using u64 = std::uint64_t;

template <class Work>
BscopeError hand(BscopeOps* ops, const char* name, Work work) {
    ops->stream.hand(BSCOPE_KERNEL, name, 0, work);
    return nullptr;
}

// An operand's numbers in fp32: themselves, or for as long as this lives a widened copy, which is rounded
// back into a tensor that may be written.
class Wide {
public:
    Wide(BscopeConstOperand from, u64 count)
        : Wide({const_cast<void*>(from.data), from.precision}, count, false) {}
    Wide(BscopeOperand at, u64 count) : Wide(at, count, true) {}
    Wide(const Wide&) = delete;
    Wide& operator=(const Wide&) = delete;
    ~Wide() {
        if (!writes_) return;
        auto* const bits = static_cast<std::uint16_t*>(at_.data);
        for (u64 i = 0; i < copy_.size(); ++i) bits[i] = bscope::toBf16(copy_[i]);
    }
    operator float*() { return copy_.empty() ? static_cast<float*>(at_.data) : copy_.data(); }
    operator bscope::Operand() { return static_cast<float*>(*this); }
    operator bscope::ConstOperand() { return static_cast<float*>(*this); }

private:
    Wide(BscopeOperand at, u64 count, bool writes) : at_(at), writes_(writes) {
        if (at.precision == BSCOPE_FP32 || at.data == nullptr) return;
        const auto* const bits = static_cast<const std::uint16_t*>(at.data);
        for (u64 i = 0; i < count; ++i) copy_.push_back(bscope::fromBf16(bits[i]));
    }

    BscopeOperand at_;
    bool writes_;
    std::vector<float> copy_;
};

void attend(BscopeOps* ops, float* y, const float* qkv, u64 B, u64 T, u64 C, u64 heads) {
    ops->probabilities.assign(B * heads * T * T, 0.0F);
    ops->cpu.attention_forward(y, ops->probabilities.data(), qkv, B, T, C, heads);
}

// What a row's probabilities are known by: how much it looks at its own place.
float rowMark(const BscopeOps* ops, u64 row, u64 T) {
    return ops->probabilities[row * T + row % T];
}

BscopeError attentionForward(BscopeOps* ops, BscopeOperand y, float* kept, BscopeConstOperand qkv, u64 B,
                             u64 T, u64 C, u64 heads) {
    return hand(ops, "_ZN8emulated17attention_forwardEv", [=] {
        attend(ops, Wide(y, B * T * C), Wide(qkv, 3 * B * T * C), B, T, C, heads);
        for (u64 row = 0; row < B * heads * T; ++row) kept[row] = rowMark(ops, row, T);
    });
}

BscopeError attentionBackward(BscopeOps* ops, BscopeOperand d_qkv, BscopeConstOperand dy,
                              BscopeConstOperand y, const float* kept, BscopeConstOperand qkv, u64 B, u64 T,
                              u64 C, u64 heads) {
    return hand(ops, "_ZN8emulated18attention_backwardEv", [=] {
        const u64 count = B * T * C;
        Wide from(qkv, 3 * count);
        ops->result.resize(count);
        attend(ops, ops->result.data(), from, B, T, C, heads);
        for (u64 row = 0; row < B * heads * T; ++row)
            if (kept[row] != rowMark(ops, row, T))
                throw std::runtime_error("attention_backward: what is kept is not of this forward");
        ops->cpu.attention_backward(Wide(d_qkv, 3 * count), Wide(dy, count), Wide(y, count),
                                    ops->probabilities.data(), from, B, T, C, heads);
    });
}

// Numbers of a matrix in memory with a leading dimension.
u64 extent(bool transpose, u64 rows, u64 columns, u64 ld) {
    const u64 lines = transpose ? columns : rows, each = transpose ? rows : columns;
    return (lines - 1) * ld + each;
}

void addLinearOps(BscopePlugin& plugin) {
    plugin.op_round = [](BscopeOps* ops, BscopeOperand to, const float* from, u64 count) {
        return hand(ops, "_ZN8emulated5roundEv", [=] { ops->cpu.round(Wide(to, count), from, count); });
    };
    plugin.op_matmul = [](BscopeOps* ops, BscopeOperand c, BscopeConstOperand a, BscopeConstOperand b,
                          std::int32_t ta, std::int32_t tb, u64 rows, u64 columns, u64 inner, float alpha,
                          float beta, u64 lda, u64 ldb, u64 ldc) {
        return hand(ops, "_ZN8emulated6matmulEv", [=] {
            ops->cpu.matmul(Wide(c, extent(false, rows, columns, ldc)), Wide(a, extent(ta, rows, inner, lda)),
                            Wide(b, extent(tb, inner, columns, ldb)), static_cast<bscope::Transpose>(ta != 0),
                            static_cast<bscope::Transpose>(tb != 0), rows, columns, inner, alpha, beta, lda,
                            ldb, ldc);
        });
    };
    plugin.op_linear_forward = [](BscopeOps* ops, BscopeOperand y, BscopeConstOperand x,
                                  BscopeConstOperand weight, BscopeConstOperand bias, const float* residual,
                                  u64 rows, u64 in, u64 out) {
        return hand(ops, "_ZN8emulated14linear_forwardEv", [=] {
            ops->cpu.linear_forward(Wide(y, rows * out), Wide(x, rows * in), Wide(weight, in * out),
                                    Wide(bias, out), residual, rows, in, out);
        });
    };
    plugin.op_linear_gelu_forward = [](BscopeOps* ops, BscopeOperand y, BscopeOperand hidden,
                                       BscopeConstOperand x, BscopeConstOperand weight,
                                       BscopeConstOperand bias, u64 rows, u64 in, u64 out) {
        return hand(ops, "_ZN8emulated19linear_gelu_forwardEv", [=] {
            ops->cpu.linear_gelu_forward(Wide(y, rows * out), Wide(hidden, rows * out), Wide(x, rows * in),
                                         Wide(weight, in * out), Wide(bias, out), rows, in, out);
        });
    };
    plugin.op_linear_gelu_backward_input = [](BscopeOps* ops, BscopeOperand d_hidden, BscopeOperand work,
                                              BscopeConstOperand dy, BscopeConstOperand weight,
                                              BscopeConstOperand hidden, u64 rows, u64 in, u64 out) {
        return hand(ops, "_ZN8emulated26linear_gelu_backward_inputEv", [=] {
            ops->cpu.linear_gelu_backward_input(Wide(d_hidden, rows * in), Wide(work, rows * in),
                                                Wide(dy, rows * out), Wide(weight, in * out),
                                                Wide(hidden, rows * in), rows, in, out);
        });
    };
    plugin.op_linear_backward_weight = [](BscopeOps* ops, float* d_weight, float* d_bias,
                                          BscopeConstOperand dy, BscopeConstOperand x, u64 rows, u64 in,
                                          u64 out) {
        return hand(ops, "_ZN8emulated22linear_backward_weightEv", [=] {
            ops->cpu.linear_backward_weight(d_weight, d_bias, Wide(dy, rows * out), Wide(x, rows * in), rows,
                                            in, out);
        });
    };
}

void addElementOps(BscopePlugin& plugin) {
    plugin.op_copy = [](BscopeOps* ops, float* to, const float* from, u64 count) -> BscopeError {
        ops->stream.hand(BSCOPE_COPY, nullptr, count * sizeof(float),
                         [=] { ops->cpu.copy(to, from, count); });
        return nullptr;
    };
    plugin.op_fill_zero = [](BscopeOps* ops, float* x, u64 count) -> BscopeError {
        ops->stream.hand(BSCOPE_FILL, nullptr, count * sizeof(float), [=] { ops->cpu.fill_zero(x, count); });
        return nullptr;
    };
    plugin.op_add = [](BscopeOps* ops, float* y, const float* x, u64 count) {
        return hand(ops, "_ZN8emulated3addEv", [=] { ops->cpu.add(y, x, count); });
    };
    plugin.op_sum_of_squares = [](BscopeOps* ops, double* result, const float* x, u64 count) {
        return hand(ops, "_ZN8emulated14sum_of_squaresEv",
                    [=] { ops->cpu.sum_of_squares(result, x, count); });
    };
    plugin.op_add_bias = [](BscopeOps* ops, BscopeOperand y, BscopeConstOperand bias, u64 rows, u64 columns) {
        return hand(ops, "_ZN8emulated8add_biasEv",
                    [=] { ops->cpu.add_bias(Wide(y, rows * columns), Wide(bias, columns), rows, columns); });
    };
    plugin.op_add_bias_residual = [](BscopeOps* ops, float* y, const float* bias, const float* residual,
                                     u64 rows, u64 columns) {
        return hand(ops, "_ZN8emulated17add_bias_residualEv",
                    [=] { ops->cpu.add_bias_residual(y, bias, residual, rows, columns); });
    };
    plugin.op_bias_backward = [](BscopeOps* ops, float* d_bias, BscopeConstOperand dy, u64 rows,
                                 u64 columns) {
        return hand(ops, "_ZN8emulated13bias_backwardEv",
                    [=] { ops->cpu.bias_backward(d_bias, Wide(dy, rows * columns), rows, columns); });
    };
    plugin.op_bias_gelu_forward = [](BscopeOps* ops, BscopeOperand y, BscopeOperand x,
                                     BscopeConstOperand bias, u64 rows, u64 columns) {
        return hand(ops, "_ZN8emulated17bias_gelu_forwardEv", [=] {
            ops->cpu.bias_gelu_forward(Wide(y, rows * columns), Wide(x, rows * columns), Wide(bias, columns),
                                       rows, columns);
        });
    };
    plugin.op_gelu_backward = [](BscopeOps* ops, BscopeOperand dx, BscopeConstOperand dy,
                                 BscopeConstOperand x, u64 count) {
        return hand(ops, "_ZN8emulated13gelu_backwardEv",
                    [=] { ops->cpu.gelu_backward(Wide(dx, count), Wide(dy, count), Wide(x, count), count); });
    };
    plugin.op_adamw_step = [](BscopeOps* ops, float* weight, float* m, float* v, const float* gradient,
                              u64 count, const BscopeAdamW* given) {
        const bscope::AdamWStep step{given->learning_rate, given->beta1,        given->beta2,
                                     given->epsilon,       given->weight_decay, given->gradient_scale,
                                     given->step};
        return hand(ops, "_ZN8emulated10adamw_stepEv",
                    [=] { ops->cpu.adamw_step(weight, m, v, gradient, count, step); });
    };
}

void addRowOps(BscopePlugin& plugin) {
    plugin.op_layernorm_forward = [](BscopeOps* ops, BscopeOperand y, float* mean, float* rstd,
                                     const float* x, const float* weight, const float* bias, u64 rows,
                                     u64 C) {
        return hand(ops, "_ZN8emulated17layernorm_forwardEv", [=] {
            ops->cpu.layernorm_forward(Wide(y, rows * C), mean, rstd, x, weight, bias, rows, C);
        });
    };
    plugin.op_layernorm_backward = [](BscopeOps* ops, float* dx, float* weight_sum, float* bias_sum,
                                      const float* dy, const float* x, const float* mean, const float* rstd,
                                      const float* weight, const float* d_residual, u64 rows, u64 C) {
        return hand(ops, "_ZN8emulated18layernorm_backwardEv", [=] {
            ops->cpu.layernorm_backward(dx, weight_sum, bias_sum, dy, x, mean, rstd, weight, d_residual, rows,
                                        C);
        });
    };
    plugin.op_attention_forward = &attentionForward;
    plugin.op_attention_backward = &attentionBackward;
    plugin.op_embedding_forward = [](BscopeOps* ops, float* y, const std::int32_t* tokens, const float* token,
                                     const float* position, u64 B, u64 T, u64 C) {
        return hand(ops, "_ZN8emulated17embedding_forwardEv",
                    [=] { ops->cpu.embedding_forward(y, tokens, token, position, B, T, C); });
    };
    plugin.op_embedding_backward = [](BscopeOps* ops, float* d_token, float* d_position, const float* dy,
                                      const std::int32_t* tokens, u64 B, u64 T, u64 C) {
        return hand(ops, "_ZN8emulated18embedding_backwardEv",
                    [=] { ops->cpu.embedding_backward(d_token, d_position, dy, tokens, B, T, C); });
    };
    plugin.op_softmax_cross_entropy = [](BscopeOps* ops, double* mean_loss, float* logits,
                                         const std::int32_t* targets, u64 rows, u64 V, float scale) {
        return hand(ops, "_ZN8emulated21softmax_cross_entropyEv",
                    [=] { ops->cpu.softmax_cross_entropy(mean_loss, logits, targets, rows, V, scale); });
    };
}

}  // namespace

void addOps(BscopePlugin& plugin) {
    plugin.ops_open = [](BscopeStream* stream, std::int32_t, BscopeOps** opened) -> BscopeError {
        *opened = new BscopeOps{*stream, bscope::CpuOps(), {}, {}};
        return nullptr;
    };
    plugin.ops_close = [](BscopeOps* ops) {
        ops->stream.drain();
        delete ops;
    };
    plugin.ops_workspace_bytes = [](const BscopeOps*) -> u64 { return 0; };
    plugin.ops_fused = [](const BscopeOps*, std::uint32_t* fused, std::uint32_t* apart) {
        *fused = 0;
        *apart = 0;
    };
    addLinearOps(plugin);
    addElementOps(plugin);
    addRowOps(plugin);
}

}  // namespace emulated
