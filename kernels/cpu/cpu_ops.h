// Ops on the CPU, in fp32: by the loops in simd/, matrix products by those or by oneDNN. Work is done when a
// call returns. One thread at a time; oneDNN's products use as many threads as prepareThread() set: one.
// Throws std::runtime_error when oneDNN refuses a product.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/cpu/simd_level.h"
#include "kernels/unfused_ops.h"

namespace bscope {

class CpuOps final : public UnfusedOps {
public:
    explicit CpuOps(const simd::Level& level = simd::bestLevel())
        : level_(level), products_(level.loopsFor(Products::Usual)) {}

    std::size_t workspaceBytes() const override {
        return (workspace_.capacity() + scratch_.capacity()) * sizeof(float);
    }
    std::size_t attentionKeptFloats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T * T;
    }
    void choose(Products products) override;

    using UnfusedOps::run;
    BSCOPE_PLAIN_OPERATIONS(BSCOPE_RUNS)
    BSCOPE_KERNEL_OPERATIONS(BSCOPE_RUNS)

private:
    static constexpr std::size_t kApart = 16;  // a cache line more than a copied row is long
    enum class Factor { First, Second };

    // So much of a buffer that is made larger where it must be.
    static float* atLeast(std::vector<float>& buffer, std::size_t floats) {
        buffer.resize(std::max(buffer.size(), floats));
        return buffer.data();
    }
    enum class Gradients { Overwritten, Added };
    void attention(const SegmentAttentionBackward& op, Gradients gradients);
    void multiplyByLoops(const Matmul& op);
    void multiplyCopied(const Matmul& op, Factor copied);

    const simd::Level& level_;
    const simd::ProductLoops* products_;  // null: oneDNN multiplies
    std::vector<float> workspace_;        // of attention's backward
    std::vector<float> scratch_;          // parts of the factors of a product
};

}  // namespace bscope
