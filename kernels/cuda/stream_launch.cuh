// A launch on a stream, and the frame around every operation of the C interface that is made of launches.
#pragma once

#include "kernels/cuda/device_language.cuh"
#include "kernels/cuda/handles.h"

namespace bscope::cuda {

struct Grid {
    unsigned x, y;
};

struct StreamLaunch {
    cudaStream_t stream;

    template <class... Parameters, class... Arguments>
    void operator()(Grid grid, unsigned block, void (*kernel)(Parameters...), Arguments... arguments) const {
        kernel<<<dim3(grid.x, grid.y), block, 0, stream>>>(static_cast<Parameters>(arguments)...);
        BSCOPE_CUDA_CHECK(cudaGetLastError());
    }
};

// Runs `work(launch)` with the GPU of `ops` current; what it throws becomes the error.
template <class Work>
BscopeError launched(BscopeOps* ops, Work work) {
    return guarded([&] {
        ops->stream.device->enter();
        work(StreamLaunch{ops->stream.stream});
    });
}

}  // namespace bscope::cuda
