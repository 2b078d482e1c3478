// Block: one pre-LayerNorm transformer block (GPT-2): r = x + proj(attention(ln1(x))), y = r + mlp(ln2(r)).
// Backward works in place: gradients take the slots of activations that are no longer read, so it needs no
// memory of its own beyond the workplace's. See layer.h.
#pragma once

#include "model/layer.h"

namespace bscope {

class Block final : public Layer {
public:
    // index: 0..L-1, in the tensors' names. shard: of shape.t; it has heads / t heads.
    Block(Device& device, const ModelShape& shape, std::size_t index, std::uint64_t seed,
          const Shard& shard = {});

    void forward(const Pass& pass, Stash& stash, Slot x, float* y) override;
    void recomputeSelective(const Pass& pass, Stash& stash) override;
    Slot backwardInput(const Pass& pass, Stash& stash, Slot dy) override;
    void backwardWeight(const Pass& pass, Stash& stash) override;
    std::span<const Keep> keeps() const override;

private:
    void attention(const Pass& pass, Stash& stash) const;
    void attentionBackward(const Pass& pass, Stash& stash, ConstOperand dy) const;
    void attentionOfRequests(const Pass& pass, Stash& stash) const;
    ConstOperand joinedSegments(const Pass& pass, const Stash& stash) const;
    void project(const Pass& pass, LinearForward projection) const;
};

}  // namespace bscope
