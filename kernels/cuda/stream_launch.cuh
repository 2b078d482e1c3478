// A launch on a stream, and the operations that are made of launches.
#pragma once

#include <tuple>
#include <type_traits>

#include "kernels/cuda/device_language.cuh"
#include "kernels/cuda/handles.h"
#ifndef __CUDACC__
#include "kernels/cuda/known_kernel.h"
#endif

namespace bscope::cuda {

struct StreamLaunch {
    cudaStream_t stream;

    // cudaLaunchKernel answers for this launch; cudaGetLastError, which <<<>>> needs, for any call before it.
    template <class... Parameters, class... Arguments>
    void operator()(Grid grid, unsigned block, void (*kernel)(Parameters...), Arguments... arguments) const {
#ifndef __CUDACC__
        know(kernel);
#endif
        std::tuple<Parameters...> given(static_cast<Parameters>(arguments)...);
        std::apply(
            [&](Parameters&... each) {
                void* addresses[] = {&each...};
                BSCOPE_CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel),
                                                   dim3(grid.x, grid.y), dim3(block), addresses, 0, stream));
            },
            given);
    }
};

// For a list of operations: each is its launches on the stream of `ops`.
#define BSCOPE_RUN_BY_LAUNCHES(Name, name)                     \
    void run(BscopeOps& ops, const Bscope##Name& op) {         \
        run(StreamLaunch{ops.stream.stream}, ops.scratch, op); \
    }

}  // namespace bscope::cuda
