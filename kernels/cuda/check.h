// How an error of CUDA becomes a sentence: a failed call throws with file, line, expression and cause, and
// the edge of the plugin (kernels/plugin/error_text.h) turns it into text.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

[[noreturn]] inline void failAt(const char* file, int line, const char* expression,
                                const std::string& cause) {
    const std::string path = file;
    throw std::runtime_error(cause + " (" + path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) +
                             ", " + expression + ")");
}

}  // namespace bscope::cuda

#define BSCOPE_CUDA_CHECK(expression)                                                                   \
    do {                                                                                                \
        const cudaError_t bscope_status = (expression);                                                 \
        if (bscope_status != cudaSuccess) {                                                             \
            static_cast<void>(cudaGetLastError()); /* or the next launch would be blamed for it */      \
            ::bscope::cuda::failAt(__FILE__, __LINE__, #expression, cudaGetErrorString(bscope_status)); \
        }                                                                                               \
    } while (false)
