// The boundary of a plugin: an exception becomes the text that its caller gets. For implementations of the C
// interface.
#pragma once

#include <exception>
#include <string>

#include "kernels/plugin/plugin_abi.h"

namespace bscope {

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

}  // namespace bscope
