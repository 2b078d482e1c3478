// Ops made of the GPU's kernels and launches, run on the CPU by the emulation. Matrix products are cuBLASLt's
// on a GPU; here they are a plain loop over operands, which the plugin's own kernel rounds if need be.
#pragma once

#include "kernels/cuda/attention_ops.cuh"
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/layernorm.cuh"
#include "kernels/cuda/tokens.cuh"
#include "kernels/unfused_ops.h"

namespace bscope {

class EmulatedOps final : public UnfusedOps {
public:
    explicit EmulatedOps(bool bf16) : bf16_(bf16) {}

    std::size_t workspaceBytes() const override { return scratch_.memory.size() * sizeof(double); }
    std::size_t attentionKeptFloats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T;
    }

    using UnfusedOps::run;
    void run(const CopyFloats& op) override { std::memcpy(op.to, op.from, op.count * sizeof(float)); }
    void run(const FillZero& op) override { std::memset(op.x, 0, op.count * sizeof(float)); }
    void run(const Round& op) override {
        if (op.to.precision() == Precision::Bf16)
            cuda::convert_to_bf16(launch_, cuda::numbers<cuda::Bf16>(op.to), op.from, 1, op.count, op.count);
        else
            run(CopyFloats{.to = op.to.fp32(), .from = op.from, .count = op.count});
    }
    void run(const Matmul& op) override {
        const bool ta = op.transpose_a == Transpose::Yes, tb = op.transpose_b == Transpose::Yes;
        const std::size_t rows = op.rows, columns = op.columns, inner = op.inner;
        const std::vector<float> left = rounded(op.a, ta ? inner : rows, ta ? rows : inner, op.lda);
        const std::vector<float> right = rounded(op.b, tb ? columns : inner, tb ? inner : columns, op.ldb);
        cuda::withNumber(op.c, [&](auto number) {
            auto* const to = cuda::numbers<decltype(number)>(op.c);
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < columns; ++j) {
                    float sum = 0;
                    for (std::size_t k = 0; k < inner; ++k)
                        sum += left[ta ? k * rows + i : i * inner + k] *
                               right[tb ? j * inner + k : k * columns + j];
                    auto& at = to[i * op.ldc + j];
                    at = cuda::narrow<decltype(number)>(op.alpha * sum +
                                                        (op.beta == 0 ? 0 : op.beta * cuda::widen(at)));
                }
        });
    }
#define BSCOPE_EMULATED(Name, name)       \
    void run(const Name& op) override {   \
        cuda::run(launch_, scratch_, op); \
    }
    BSCOPE_KERNEL_OPERATIONS(BSCOPE_EMULATED)
#undef BSCOPE_EMULATED

private:
    struct Scratch {
        std::vector<double> memory;
        void* reserve(std::size_t bytes) {
            memory.resize(std::max(memory.size(), bytes / sizeof(double) + 1));
            return memory.data();
        }
    };

    // A product's operand as it enters it, without gaps.
    std::vector<float> rounded(ConstOperand from, std::size_t rows, std::size_t columns, std::size_t ld) {
        std::vector<float> result(rows * columns);
        const auto place = [&](std::size_t i) { return i / columns * ld + i % columns; };
        if (from.precision() == Precision::Bf16) {
            for (std::size_t i = 0; i < result.size(); ++i)
                result[i] = cuda::widen(cuda::numbers<cuda::Bf16>(from)[place(i)]);
        } else if (bf16_) {
            std::vector<cuda::Bf16> bits(result.size());
            cuda::convert_to_bf16(launch_, bits.data(), from.fp32(), rows, columns, ld);
            for (std::size_t i = 0; i < result.size(); ++i) result[i] = cuda::widen(bits[i]);
        } else {
            for (std::size_t i = 0; i < result.size(); ++i) result[i] = from.fp32()[place(i)];
        }
        return result;
    }

    bool bf16_;
    cuda::EmulatedLaunch launch_;
    Scratch scratch_;
};

}  // namespace bscope
