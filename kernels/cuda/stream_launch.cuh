// A launch on a stream, and the frame around every operation of the C interface that is made of launches.
#pragma once

#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "kernels/cuda/device_language.cuh"
#include "kernels/cuda/handles.h"
#ifndef __CUDACC__
#include "kernels/cuda/known_kernel.h"
#endif

namespace bscope::cuda {

struct Grid {
    unsigned x, y;
};

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

// An operand's numbers as float or Bf16; the operands of one call are all the same.
template <class Number>
Number* numbers(BscopeOperand operand) {
    if (operand.data && (operand.precision == BSCOPE_BF16) != std::is_same_v<Number, Bf16>)
        throw std::invalid_argument("this operation takes its operands in one precision, not in two");
    return static_cast<Number*>(operand.data);
}
template <class Number>
const Number* numbers(BscopeConstOperand operand) {
    return numbers<Number>(BscopeOperand{const_cast<void*>(operand.data), operand.precision});
}

// Calls `with` with a number of that precision.
template <class With>
void withNumber(std::int32_t precision, With with) {
    if (precision == BSCOPE_BF16) return with(Bf16{});
    return with(float{});
}

// Runs `work(launch)` with the GPU of `ops` current; what it throws becomes the error.
template <class Work>
BscopeError launched(BscopeOps* ops, Work work) {
    return guarded([&] {
        ops->stream.device->enter();
        work(StreamLaunch{ops->stream.stream});
        ops->stream.waitIfAsked();
    });
}

}  // namespace bscope::cuda
