// How an error of CUDA becomes a sentence: a failed call throws with file, line, expression and cause, and
// the edge of the plugin turns what was thrown into the text that its caller gets.
#pragma once

#include <cuda_runtime_api.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "kernels/plugin/plugin_abi.h"

namespace bscope::cuda {

[[noreturn]] inline void failAt(const char* file, int line, const char* expression,
                                const std::string& cause) {
    const std::string path = file;
    throw std::runtime_error(cause + " (" + path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) +
                             ", " + expression + ")");
}

// The calling thread's last sentence, until its next call.
inline BscopeError lastError(const std::string& text) {
    static thread_local std::string last;
    last = text;
    return last.c_str();
}

template <class Work>
BscopeError guarded(Work work) {
    try {
        work();
        return nullptr;
    } catch (const std::exception& error) {
        return lastError(error.what());
    }
}

}  // namespace bscope::cuda

#define BSCOPE_CUDA_CHECK(expression)                                                                   \
    do {                                                                                                \
        const cudaError_t bscope_status = (expression);                                                 \
        if (bscope_status != cudaSuccess)                                                               \
            ::bscope::cuda::failAt(__FILE__, __LINE__, #expression, cudaGetErrorString(bscope_status)); \
    } while (false)
