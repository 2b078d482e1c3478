// How a kernel compiled for the CPU becomes known under its address to what stands in for the CUDA runtime
// (tests/gpu/fake_cuda), as nvcc's stubs are known to the real one: cudaLaunchKernel gets addresses of
// arguments, and only the kernel's type says what they are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "kernels/cuda/emulation.h"

namespace bscope::cuda {

struct Argument {
    const void* pointer;  // null: a number
    bool writes;
};

struct Call {
    std::vector<Argument> arguments;
    std::function<void(unsigned x, unsigned y, unsigned block)> run;
};

using MakeCall = std::function<Call(void** arguments)>;
// Once for each kernel is enough.
__attribute__((visibility("default"))) void knowKernel(const void* kernel, const char* name, MakeCall make);

template <class Parameter>
Argument describe(const Parameter& argument) {
    if constexpr (std::is_pointer_v<Parameter>)
        return {argument, !std::is_const_v<std::remove_pointer_t<Parameter>>};
    else
        return {nullptr, false};
}

template <class... Parameters>
void know(void (*kernel)(Parameters...)) {
    knowKernel(reinterpret_cast<const void*>(kernel), typeid(kernel).name(), [kernel](void** arguments) {
        const auto given = [&]<std::size_t... i>(std::index_sequence<i...>) {
            return std::tuple<Parameters...>(*static_cast<Parameters*>(arguments[i])...);
        }
        (std::index_sequence_for<Parameters...>());
        Call call;
        std::apply([&](const auto&... each) { (call.arguments.push_back(describe(each)), ...); }, given);
        call.run = [kernel, given](unsigned x, unsigned y, unsigned block) {
            std::apply([&](const auto&... each) { EmulatedLaunch()({x, y}, block, kernel, each...); }, given);
        };
        return call;
    });
}

}  // namespace bscope::cuda
