// A shared library that the plugin loads when it is first needed, so that the plugin runs without it.
#pragma once

#include <dlfcn.h>

#include <string>

#include "kernels/plugin/error_text.h"

namespace bscope::cuda {

class Library {
public:
    // Where there is none of that name, throws `without_it`, a sentence with {0} for the name.
    Library(const char* name, const char* without_it)
        : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) throw Refusal(without_it, {name_});
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { dlclose(handle_); }

    // Sets a pointer to the function of that name.
    template <class Function>
    void find(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(dlsym(handle_, name));
        if (!function) throw Refusal("{0} has no function {1}; install CUDA 13", {name_, name});
    }

private:
    std::string name_;
    void* handle_;
};

}  // namespace bscope::cuda
