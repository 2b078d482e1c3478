// Attention on a stream.
#include "kernels/cuda/attention_ops.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"

namespace bscope::cuda {

BSCOPE_ATTENTION_OPERATIONS(BSCOPE_RUN_BY_LAUNCHES)

}  // namespace bscope::cuda
