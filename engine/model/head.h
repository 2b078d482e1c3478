// Head: final LayerNorm, untied head, mean cross-entropy; the last layer of the model. Its forward also makes
// the gradient of the loss with respect to the logits, in their place. See layer.h.
#pragma once

#include "model/layer.h"

namespace bscope {

class Head final : public Layer {
public:
    Head(Device& device, const ModelShape& shape, std::uint64_t seed, const Shard& shard = {});

    void forward(const Pass& pass, Stash& stash, Slot x, float* y) override;
    void recomputeSelective(const Pass&, Stash&) override {}
    Slot backwardInput(const Pass& pass, Stash& stash, Slot dy) override;
    void backwardWeight(const Pass& pass, Stash& stash) override;
    std::span<const Keep> keeps() const override;

private:
    void makeLogits(const Pass& pass, const float* x, std::size_t own_rows, float* statistics,
                    const Operand& normalised, std::size_t rows, float* logits) const;
    void chooseTokens(const Pass& pass, const float* x) const;
    void crossEntropy(const Pass& pass, float* logits) const;
};

}  // namespace bscope
