// Operations of the CPU, handed to a stream; operands in bf16 are widened before and rounded after. Attention
// keeps one number a row and head, as a GPU does: the backward makes the probabilities again and refuses
// numbers that are not the forward's.
#include <algorithm>
#include <deque>
#include <memory>
#include <type_traits>

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

using bscope::Precision;
using u64 = std::uint64_t;

// While this lives, operands in bf16 are views of widened copies; then what was written is rounded back.
class Widening {
public:
    Widening() = default;
    Widening(const Widening&) = delete;
    Widening& operator=(const Widening&) = delete;
    ~Widening() {
        for (const Copy& copy : copies_)
            for (u64 i = 0; copy.written && i < copy.numbers.size(); ++i)
                copy.bits[i] = bscope::toBf16(copy.numbers[i]);
    }
    void operator()(BscopeOperand& operand, u64 count) { widen(operand, count, true); }
    void operator()(BscopeConstOperand& operand, u64 count) {
        BscopeOperand read(const_cast<void*>(operand.data()), operand.precision());
        widen(read, count, false);
        operand = read;
    }

private:
    struct Copy {
        std::uint16_t* bits;
        bool written;
        std::vector<float> numbers;
    };
    void widen(BscopeOperand& operand, u64 count, bool written) {
        if (operand.precision() == Precision::Fp32 || !operand) return;
        auto* const bits = static_cast<std::uint16_t*>(operand.data());
        Copy& copy = copies_.emplace_back(Copy{bits, written, std::vector<float>(count)});
        for (u64 i = 0; i < count; ++i) copy.numbers[i] = bscope::fromBf16(bits[i]);
        operand = copy.numbers.data();
    }
    std::deque<Copy> copies_;
};

// The operands of each operation, with their sizes. What is written stands first, so that an operand which
// takes the place of another is rounded back from its own copy.
void widenAll(BscopeRound& op, Widening& widen) {
    widen(op.to, op.count);
}

void widenAll(BscopeMatmul& op, Widening& widen) {
    // Numbers of a matrix in memory with a leading dimension.
    const auto extent = [](BscopeTranspose transpose, u64 rows, u64 columns, u64 ld) {
        const bool turned = transpose == bscope::Transpose::Yes;
        return ((turned ? columns : rows) - 1) * ld + (turned ? rows : columns);
    };
    widen(op.c, extent(bscope::Transpose::No, op.rows, op.columns, op.ldc));
    widen(op.a, extent(op.transpose_a, op.rows, op.inner, op.lda));
    widen(op.b, extent(op.transpose_b, op.inner, op.columns, op.ldb));
}

void widenAll(BscopeLinearForward& op, Widening& widen) {
    widen(op.y, op.rows * op.out);
    widen(op.x, op.rows * op.in);
    widen(op.weight, op.in * op.out);
    widen(op.bias, op.out);
}

void widenAll(BscopeLinearGeluForward& op, Widening& widen) {
    widen(op.y, op.rows * op.out);
    widen(op.hidden, op.rows * op.out);
    widen(op.x, op.rows * op.in);
    widen(op.weight, op.in * op.out);
    widen(op.bias, op.out);
}

void widenAll(BscopeLinearBackwardInput& op, Widening& widen) {
    widen(op.dx, op.rows * op.in);
    widen(op.dy, op.rows * op.out);
    widen(op.weight, op.in * op.out);
}

void widenAll(BscopeLinearGeluBackwardInput& op, Widening& widen) {
    widen(op.d_hidden, op.rows * op.in);
    widen(op.work, op.rows * op.in);
    widen(op.dy, op.rows * op.out);
    widen(op.weight, op.in * op.out);
    widen(op.hidden, op.rows * op.in);
}

void widenAll(BscopeLinearBackwardWeight& op, Widening& widen) {
    widen(op.dy, op.rows * op.out);
    widen(op.x, op.rows * op.in);
}

void widenAll(BscopeAddBias& op, Widening& widen) {
    widen(op.y, op.rows * op.columns);
    widen(op.bias, op.columns);
}

void widenAll(BscopeBiasGeluForward& op, Widening& widen) {
    widen(op.y, op.rows * op.columns);
    widen(op.x, op.rows * op.columns);
    widen(op.bias, op.columns);
}

void widenAll(BscopeGeluBackward& op, Widening& widen) {
    widen(op.dx, op.count);
    widen(op.dy, op.count);
    widen(op.x, op.count);
}

void widenAll(BscopeBiasBackward& op, Widening& widen) {
    widen(op.dy, op.rows * op.columns);
}

void widenAll(BscopeLayernormForward& op, Widening& widen) {
    widen(op.y, op.rows * op.C);
}

void widenAll(BscopeAttentionForward& op, Widening& widen) {
    widen(op.y, op.B * op.T * op.C);
    widen(op.qkv, 3 * op.B * op.T * op.C);
}

void widenAll(BscopeAttentionBackward& op, Widening& widen) {
    widen(op.d_qkv, 3 * op.B * op.T * op.C);
    widen(op.dy, op.B * op.T * op.C);
    widen(op.y, op.B * op.T * op.C);
    widen(op.qkv, 3 * op.B * op.T * op.C);
}

void widenAll(BscopeSegmentAttentionForward& op, Widening& widen) {
    widen(op.y, op.B * op.T * op.C);
    widen(op.qkv, 3 * op.B * op.tokens * op.C);
}

void widenAll(BscopeSegmentAttentionBackward& op, Widening& widen) {
    widen(op.dy, op.B * op.T * op.C);
    widen(op.y, op.B * op.T * op.C);
    widen(op.qkv, 3 * op.B * op.tokens * op.C);
}

template <class Operation>
concept HasOperands = requires(Operation& op, Widening& widen) {
    widenAll(op, widen);
};

// What a row's probabilities are known by: how much it looks at its own place.
float rowMark(const BscopeOps& ops, u64 row, u64 T) {
    return ops.probabilities[row * T + row % T];
}

void compute(BscopeOps& ops, const BscopeAttentionForward& op) {
    ops.probabilities.assign(op.B * op.heads * op.T * op.T, 0.0F);
    BscopeAttentionForward with_probabilities = op;
    with_probabilities.kept = ops.probabilities.data();
    ops.cpu.run(with_probabilities);
    for (u64 row = 0; row < op.B * op.heads * op.T; ++row) op.kept[row] = rowMark(ops, row, op.T);
}

void compute(BscopeOps& ops, const BscopeAttentionBackward& op) {
    const u64 marks = op.B * op.heads * op.T;
    ops.result.resize(op.B * op.T * op.C + marks);
    float* const again = ops.result.data() + op.B * op.T * op.C;
    compute(ops, BscopeAttentionForward{.y = ops.result.data(),
                                        .kept = again,
                                        .qkv = op.qkv,
                                        .B = op.B,
                                        .T = op.T,
                                        .C = op.C,
                                        .heads = op.heads});
    if (!std::equal(again, again + marks, op.kept))
        throw std::runtime_error("attention_backward: what is kept is not of this forward");
    BscopeAttentionBackward with_probabilities = op;
    with_probabilities.kept = ops.probabilities.data();
    ops.cpu.run(with_probabilities);
}

void compute(BscopeOps& ops, const BscopeSegmentAttentionForward& op) {
    ops.probabilities.assign(op.B * op.heads * op.T * op.tokens, 0.0F);
    BscopeSegmentAttentionForward with_probabilities = op;
    with_probabilities.kept = ops.probabilities.data();
    ops.cpu.run(with_probabilities);
    for (u64 row = 0; row < op.B * op.heads * op.T; ++row)
        op.kept[row] = ops.probabilities[row * op.tokens + op.first + row % op.T];
}

void compute(BscopeOps& ops, const BscopeSegmentAttentionBackward& op) {
    const u64 marks = op.B * op.heads * op.T;
    ops.result.resize(op.B * op.T * op.C + marks);
    float* const again = ops.result.data() + op.B * op.T * op.C;
    compute(ops, BscopeSegmentAttentionForward{.y = ops.result.data(),
                                               .kept = again,
                                               .qkv = op.qkv,
                                               .B = op.B,
                                               .T = op.T,
                                               .C = op.C,
                                               .heads = op.heads,
                                               .first = op.first,
                                               .tokens = op.tokens});
    if (!std::equal(again, again + marks, op.kept))
        throw std::runtime_error("segment_attention_backward: what is kept is not of this forward");
    BscopeSegmentAttentionBackward with_probabilities = op;
    with_probabilities.kept = ops.probabilities.data();
    ops.cpu.run(with_probabilities);
}

template <class Operation>
void compute(BscopeOps& ops, const Operation& op) {
    ops.cpu.run(op);
}

// What the tracer calls it: copies and fills are no kernels and have no name.
struct Traced {
    int kind;
    const char* name;
    u64 bytes;
};
template <class Operation>
Traced traced(const Operation&, const char* name) {
    return {BSCOPE_KERNEL, name, 0};
}
Traced traced(const BscopeCopyFloats& op, const char*) {
    return {BSCOPE_COPY, nullptr, op.count * sizeof(float)};
}
Traced traced(const BscopeFillZero& op, const char*) {
    return {BSCOPE_FILL, nullptr, op.count * sizeof(float)};
}

template <class Operation>
BscopeError hand(BscopeOps* ops, const Operation& given, const char* name) {
    const Traced as = traced(given, name);
    ops->stream.hand(as.kind, as.name, as.bytes, [ops, given] {
        Widening widen;
        Operation op = given;
        if constexpr (HasOperands<Operation>) widenAll(op, widen);
        compute(*ops, op);
    });
    return nullptr;
}

// Mangled, as kernels are called: "_ZN8emulated6matmulEv".
std::string mangled(const std::string& name) {
    return "_ZN8emulated" + std::to_string(name.size()) + name + "Ev";
}

}  // namespace

void addOps(BscopePlugin& plugin) {
    plugin.ops_open = [](BscopeStream* stream, std::int64_t, BscopeOps** opened) -> BscopeError {
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
#define BSCOPE_HAND(Name, name)                                            \
    plugin.op_##name = [](BscopeOps* ops, const Bscope##Name* operation) { \
        static const std::string traced_as = mangled(#name);               \
        return hand(ops, *operation, traced_as.c_str());                   \
    };
    BSCOPE_OPERATIONS(BSCOPE_HAND)
#undef BSCOPE_HAND
}

}  // namespace emulated
