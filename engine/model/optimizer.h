// Global-norm clipping: the norm is combined from per-tensor sums in the model's order of tensors, so it does
// not depend on how layers are divided over ranks. AdamWStep itself is in kernels/operations.h. Pure
// functions.
#pragma once

#include <span>

namespace bscope {

// sqrt of the sum, in order; squares as Stage::gradientSquares wrote them, (Model::tensorCount(),).
double gradientNorm(std::span<const double> squares);

// What gradients are multiplied with so that their norm is at most clip_norm; 1 when clip_norm is 0 (no
// clipping). As PyTorch's clip_grad_norm_: min(1, clip_norm / (norm + 1e-6)).
float clipFactor(double norm, double clip_norm);

}  // namespace bscope
