#include "gpu/gpu_kernels.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace bscope {

namespace {

// Iterations, of a stream: a rank may be that far ahead of the others, and CUPTI's buffers that late.
constexpr int kLongestWait = 64;

std::string readable(const std::string& mangled) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? std::string(name.get()) : mangled;
}

KernelEvent::Kind kindOf(const KernelSpan& span) {
    return span.kind == BSCOPE_COPY   ? KernelEvent::Kind::Copy
           : span.kind == BSCOPE_FILL ? KernelEvent::Kind::Fill
                                      : KernelEvent::Kind::Kernel;
}

}  // namespace

void appendKernels(const GpuBox& box, const WorkSpan& span, std::vector<KernelEvent>& to) {
    for (const KernelSpan& kernel : span.kernels)
        to.push_back({.start_ns = box.time.place_ns(kernel.start_ns),
                      .end_ns = box.time.place_ns(kernel.end_ns),
                      .bytes = static_cast<std::int64_t>(kernel.bytes),
                      .iteration = box.iteration,
                      .stage = box.action.stage,
                      .microbatch = box.action.microbatch,
                      .rank = static_cast<std::int16_t>(box.rank),
                      .op = box.action.op,
                      .kind = kindOf(kernel),
                      .name = readable(kernel.name)});
}

std::map<std::pair<int, int>, std::vector<KernelEvent>> LaterKernels::take(int iteration) {
    std::map<std::pair<int, int>, std::vector<KernelEvent>> taken;
    std::erase_if(early_, [&](Early& early) {
        const auto found = boxes_.find({early.span.traced.rank, early.span.traced.id});
        if (found == boxes_.end()) return ++early.waits > kLongestWait;
        const GpuBox& box = found->second;
        appendKernels(box, early.span, taken[{box.rank, box.iteration}]);
        return true;
    });
    std::erase_if(boxes_, [&](const auto& box) { return box.second.iteration < iteration - kLongestWait; });
    return taken;
}

}  // namespace bscope
