// Launches over rows and columns: a thread for each number, and none has to divide to find its place.
#pragma once

#include "kernels/cuda/device_language.cuh"

namespace bscope::cuda {

constexpr unsigned kElementThreads = 256;

__device__ inline Size columnIndex() {
    return static_cast<Size>(blockIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline Size rowIndex() {
    return blockIdx.x;
}

template <class Launch, class Kernel, class... Arguments>
void launchRows(const Launch& launch, Size rows, Size columns, Kernel kernel, Arguments... arguments) {
    if (rows > 0 && columns > 0)
        launch({static_cast<unsigned>(rows), static_cast<unsigned>(divideUp(columns, kElementThreads))},
               kElementThreads, kernel, arguments...);
}

}  // namespace bscope::cuda
