// The norm is summed in double, tensor by tensor.
#include "model/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bscope {

double gradientNorm(std::span<const double> squares) {
    return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

float clipFactor(double norm, double clip_norm) {
    if (clip_norm <= 0.0) return 1.0F;
    return static_cast<float>(std::min(1.0, clip_norm / (norm + 1e-6)));
}

}  // namespace bscope
