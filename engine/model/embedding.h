// Embedding: token embedding plus learned positions; the first layer of the model. A shard has the rows of a
// part of the vocabulary (Megatron-LM, arXiv:1909.08053, section 3), and what it makes of the tokens there is
// a summand; positions are in shard 0's. See layer.h.
#pragma once

#include "model/layer.h"

namespace bscope {

class Embedding final : public Layer {
public:
    Embedding(Device& device, const ModelShape& shape, std::uint64_t seed, const Shard& shard = {});

    void forward(const Pass& pass, Stash& stash, Slot x, float* y) override;
    void recomputeSelective(const Pass&, Stash&) override {}
    Slot backwardInput(const Pass& pass, Stash& stash, Slot dy) override;
    void backwardWeight(const Pass& pass, Stash& stash) override;
    std::span<const Keep> keeps() const override;

private:
    void ofRequests(const Pass& pass, float* y) const;
};

}  // namespace bscope
