// A shared library that the plugin loads when it is first needed, so that the plugin runs without it.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace bscope::cuda {

class Library {
public:
    // Throws with what to do when there is none of that name.
    Library(const char* name, const std::string& what_for, const std::string& how_to_get)
        : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_)
            throw std::runtime_error(what_for + " needs " + name_ + ", which cannot be loaded; " +
                                     how_to_get);
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { dlclose(handle_); }

    // Sets a pointer to the function of that name.
    template <class Function>
    void find(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(dlsym(handle_, name));
        if (!function) throw std::runtime_error(name_ + " has no function " + name + "; install CUDA 13");
    }

private:
    std::string name_;
    void* handle_;
};

}  // namespace bscope::cuda
