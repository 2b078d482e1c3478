// The boundary of a plugin: an exception becomes the failure that its caller gets. For implementations of the
// C interface.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "kernels/plugin/plugin_abi.h"

namespace bscope {

// Nothing more can be done on the GPU in this process.
struct GpuIsLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The calling thread's last failure, until its next call.
inline BscopeError lastError(const std::string& text, bool gpu_is_lost = false) {
    static thread_local std::string last;
    static thread_local BscopeFailure failure;
    last = text;
    failure = {last.c_str(), gpu_is_lost ? 1 : 0};
    return &failure;
}

template <class Work>
BscopeError guarded(Work work) {
    try {
        work();
        return nullptr;
    } catch (const GpuIsLost& error) {
        return lastError(error.what(), true);
    } catch (const std::exception& error) {
        return lastError(error.what());
    }
}

}  // namespace bscope
