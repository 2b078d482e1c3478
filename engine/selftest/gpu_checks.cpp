#include "selftest/gpu_checks.h"

#include <cmath>
#include <vector>

#include "kernels/plugin/cuda_device.h"
#include "trace/gpu_tracer.h"
#include "words/catalog.h"

namespace bscope {

namespace {

constexpr std::size_t kAddedFloats = std::size_t{1} << 20;
constexpr int kActions = 8;

// The share of actions whose kernels were not seen, or not in order, or whose numbers are wrong. With
// `graphs` the operations of an action go together: from the third action on as one CUDA graph.
Check checkTracing(const BscopePlugin& api, Device& device, bool graphs) {
    Check check{
        .name = graphs ? "tracing: the same with CUDA graphs" : "tracing: every action has its kernels",
        .failure = {}};
    try {
        const auto stream = device.makeStream();
        const auto ops = device.makeOps(*stream);
        const Buffer sum(device, kAddedFloats * sizeof(float)), ones(device, kAddedFloats * sizeof(float));
        std::vector<float> values(kAddedFloats, 1.0F);
        device.copy(ones.as<void>(), values.data(), ones.bytes());
        const auto tracer = makeGpuTracer(api);
        const TracedStream on{cudaDeviceOf(device), cudaStreamOf(*stream)};
        tracer->expect(on);
        const auto work = [&] {
            ops->run(FillZero{.x = sum.as<float>(), .count = kAddedFloats});
            ops->run(Add{.y = sum.as<float>(), .x = ones.as<float>(), .count = kAddedFloats});
        };
        for (int mb = 0; mb < kActions; ++mb) {
            tracer->begin({.iteration = 1, .rank = 0, .id = {0, Op::Forward, mb}}, on);
            if (graphs)
                ops->together(work);
            else
                work();
            tracer->end(on);
        }
        stream->synchronize();
        int good = 0;
        std::int64_t last_ns = 0;
        for (const WorkSpan& span : tracer->drain()) {
            const bool seen = !tracer->fallbackReason().empty() || span.kernels.size() == 2;
            if (seen && span.start_ns >= last_ns && span.end_ns > span.start_ns) ++good;
            last_ns = span.end_ns;
        }
        check.error = static_cast<double>(kActions - good) / kActions;
        if (!tracer->fallbackReason().empty())
            check.note = "by events, " + say(tracer->fallbackReason(), Language::English);
        if (tracer->dropped() > 0) check.failure = std::to_string(tracer->dropped()) + " records dropped";
        device.copy(values.data(), sum.as<void>(), sum.bytes());
        if (values != std::vector<float>(kAddedFloats, 1.0F))
            check.failure = "the operations gave other numbers";
    } catch (const std::exception& error) {
        check.failure = error.what();
    }
    return check;
}

// The driver counts whole pages, hence the tolerance: 2 MiB of 256.
Check checkMemory(const CudaPlugin& plugin, Device& device) {
    Check check{.name = "memory: the driver's count", .tolerance = 0.01, .failure = {}};
    constexpr std::size_t kBytes = std::size_t{256} << 20;
    const auto used_bytes = [&] {
        std::uint64_t bytes = 0;
        bscope::check(plugin.api().memory_used(cudaDeviceOf(device), &bytes));
        return static_cast<double>(bytes);
    };
    try {
        const double before = used_bytes();
        const Buffer memory(device, kBytes);
        check.error =
            std::abs(used_bytes() - before - static_cast<double>(kBytes)) / static_cast<double>(kBytes);
    } catch (const std::exception& error) {
        check.failure = error.what();
    }
    return check;
}

}  // namespace

std::shared_ptr<void> keepTracing(const CudaPlugin& plugin) {
    return std::make_shared<TracingSession>(plugin.api());
}

std::vector<Check> checkGpu(const CudaPlugin& plugin, Device& device) {
    return {checkTracing(plugin.api(), device, false), checkTracing(plugin.api(), device, true),
            checkMemory(plugin, device)};
}

}  // namespace bscope
