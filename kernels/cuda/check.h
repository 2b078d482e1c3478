// How an error of CUDA becomes a sentence: a failed call throws with file, line, expression and cause, and
// the edge of the plugin (kernels/plugin/error_text.h) turns it into a failure.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

// Errors that a kernel leaves behind for good (driver_types.h: "leaves the process in an inconsistent state",
// until it ends).
inline bool isForGood(cudaError_t error) {
    switch (error) {
        case cudaErrorIllegalAddress:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorIllegalInstruction:
        case cudaErrorHardwareStackError:
        case cudaErrorLaunchFailure:
        case cudaErrorLaunchTimeout:
        case cudaErrorAssert:
        case cudaErrorECCUncorrectable:
        case cudaErrorNvlinkUncorrectable:
        case cudaErrorContained:
            return true;
        default:
            return false;
    }
}

[[noreturn]] inline void failAt(const char* file, int line, const char* expression, cudaError_t error) {
    const std::string path = file;
    const std::string text = std::string(cudaGetErrorString(error)) + " (" +
                             path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) + ", " +
                             expression + ")";
    if (isForGood(error)) throw GpuIsLost(text);
    throw std::runtime_error(text);
}

// An error of a library after a kernel's fault is a symptom of it: what stays is reported as the cause.
// Setting the device that is set already has no effect but to report what earlier launches left behind.
[[noreturn]] inline void failIn(const std::string& error_of_library) {
    cudaError_t left = cudaGetLastError();
    int device = 0;
    if (left == cudaSuccess) left = cudaGetDevice(&device);
    if (left == cudaSuccess) left = cudaSetDevice(device);
    if (isForGood(left)) throw GpuIsLost(std::string(cudaGetErrorString(left)) + "; " + error_of_library);
    throw std::runtime_error(error_of_library);
}

}  // namespace bscope::cuda

#define BSCOPE_CUDA_CHECK(expression)                                               \
    do {                                                                            \
        const cudaError_t bscope_status = (expression);                             \
        if (bscope_status != cudaSuccess) {                                         \
            static_cast<void>(cudaGetLastError()); /* reported here */              \
            ::bscope::cuda::failAt(__FILE__, __LINE__, #expression, bscope_status); \
        }                                                                           \
    } while (false)
