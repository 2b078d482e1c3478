// Operations on whole rows, and sums, on a stream.
#include "kernels/cuda/layernorm.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"
#include "kernels/cuda/tokens.cuh"

namespace bscope::cuda {

BSCOPE_ROW_OPERATIONS(BSCOPE_RUN_BY_LAUNCHES)

std::size_t biasBackwardScratch(std::size_t rows, std::size_t columns) {
    return biasBackwardBytes(rows, columns);
}

}  // namespace bscope::cuda
