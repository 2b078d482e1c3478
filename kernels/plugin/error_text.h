// The boundary of a plugin: an exception becomes the failure that its caller gets. For implementations of the
// C interface.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/plugin/plugin_abi.h"

namespace bscope {

// Nothing more can be done on the GPU in this process.
struct GpuIsLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What the plugin itself says, as data: an English template, which the engine's catalog has in both
// languages, and its arguments. what() is the template.
struct Refusal : std::invalid_argument {
    explicit Refusal(const char* words, std::vector<std::string> its_arguments = {})
        : std::invalid_argument(words), arguments(std::move(its_arguments)) {}
    std::vector<std::string> arguments;
};

// The calling thread's last failure, until its next call.
inline BscopeError lastError(const std::string& text, bool gpu_is_lost = false,
                             const std::vector<std::string>& arguments = {}) {
    static thread_local std::string last;
    static thread_local std::vector<std::string> last_arguments;
    static thread_local std::vector<const char*> pointers;
    static thread_local BscopeFailure failure;
    last = text;
    last_arguments = arguments;
    pointers.clear();
    for (const std::string& argument : last_arguments) pointers.push_back(argument.c_str());
    failure = {last.c_str(), pointers.data(), pointers.size(), gpu_is_lost ? 1 : 0};
    return &failure;
}

template <class Work>
BscopeError guarded(Work work) {
    try {
        work();
        return nullptr;
    } catch (const GpuIsLost& error) {
        return lastError(error.what(), true);
    } catch (const Refusal& refusal) {
        return lastError(refusal.what(), false, refusal.arguments);
    } catch (const std::exception& error) {
        return lastError(error.what());
    }
}

}  // namespace bscope
