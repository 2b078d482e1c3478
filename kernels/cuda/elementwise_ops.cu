// Operations on every number by itself, and conversions, on a stream.
#include "kernels/cuda/elementwise.cuh"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/cuda/stream_launch.cuh"

namespace bscope::cuda {

BSCOPE_ELEMENT_OPERATIONS(BSCOPE_RUN_BY_LAUNCHES)

void run(BscopeOps& ops, const BscopeRound& op) {
    launchRound(ops.stream.stream, op.to, op.from, 1, op.count, op.count);
}

void launchRound(cudaStream_t stream, BscopeOperand to, const float* from, std::size_t rows,
                 std::size_t columns, std::size_t ld) {
    if (to.precision() == Precision::Bf16)
        convert_to_bf16(StreamLaunch{stream}, static_cast<Bf16*>(to.data()), from, rows, columns, ld);
    else
        BSCOPE_CUDA_CHECK(cudaMemcpy2DAsync(to.data(), columns * sizeof(float), from, ld * sizeof(float),
                                            columns * sizeof(float), rows, cudaMemcpyDeviceToDevice, stream));
}

}  // namespace bscope::cuda
