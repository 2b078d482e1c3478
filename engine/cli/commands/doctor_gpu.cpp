// Asks the plugin, and the machine itself where the plugin is not there.
#include "cli/commands/doctor_gpu.h"

#include <dlfcn.h>

#include "cli/print/number_text.h"
#include "kernels/plugin/plugin.h"

namespace bscope::cli {
namespace {

// The answer of CUPTI of CUDA 13.1 Update 1 (found by tests/gpu/libraries).
constexpr std::uint32_t kGraphsAfterAPause = 130101;

std::string versionText(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

Finding driver() {
    void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return {sentence("CUDA driver"), false,
                sentence("not needed without an NVIDIA GPU; with one: apt install nvidia-driver")};
    int version = 0;
    if (auto* driverVersion = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion")))
        driverVersion(&version);
    dlclose(library);
    return {sentence("CUDA driver"), true, sentence("CUDA {0}", versionText(version))};
}

// By all processes. Throws DeviceError.
std::uint64_t usedBytes(const BscopePlugin& api, int index) {
    BscopeDevice* device = nullptr;
    std::uint64_t bytes = 0;
    check(api.device_open(index, &device));
    const BscopeError error = api.memory_used(device, &bytes);
    api.device_close(device);
    check(error);
    return bytes;
}

Sentence gpuText(const BscopePlugin& api, int index, const BscopeGpu& gpu) {
    const auto gigabytes = [](std::uint64_t bytes) {
        return fixed(static_cast<double>(bytes) / 1e9, 1) + " GB";
    };
    return sentence("{0}: {1}, sm_{2}{3}, {4} processors, {5}, {6} of it used, {7}", index, gpu.name,
                    gpu.compute_major, gpu.compute_minor, gpu.processors, gigabytes(gpu.total_bytes),
                    gigabytes(usedBytes(api, index)), gpu.bus_id);
}

// How each pair of GPUs reaches the other.
Finding paths(const BscopePlugin& api, std::size_t gpus) {
    if (gpus < 2)
        return {sentence("GPU paths"), true,
                sentence("one GPU, so its stages are timed one after another: RECONSTRUCTED")};
    Sentence all;
    for (std::size_t from = 0; from < gpus; ++from)
        for (std::size_t to = from + 1; to < gpus; ++to) {
            BscopePeer peer{};
            const BscopeError error =
                api.peer(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), &peer);
            const Sentence path = error                      ? sentenceOf(error)
                                  : peer.can_access == 0     ? sentence("through host memory")
                                  : peer.native_atomics != 0 ? sentence("direct, NVLink")
                                                             : sentence("direct, PCIe");
            const Sentence one = sentence("{0}-{1} {2}", from, to, path);
            all = all.empty() ? one : sentence("{0}; {1}", all, one);
        }
    return {sentence("GPU paths"), true, all};
}

Finding tracing(const BscopePlugin& api) {
    const Sentence name = sentence("GPU tracing");
    if (const BscopeError error = api.trace_start()) return {name, false, sentenceOf(error)};
    if (const BscopeError error = api.trace_stop()) return {name, false, sentenceOf(error)};
    std::uint32_t version = 0;
    if (const BscopeError error = api.trace_version(&version)) return {name, false, sentenceOf(error)};
    const Sentence works = sentence("CUPTI {0} traces, and no other profiler holds it", version);
    if (version >= kGraphsAfterAPause) return {name, true, works};
    return {name, true,
            sentence("{0}; before CUDA 13.1 Update 1 it loses the kernels of CUDA graphs once tracing was "
                     "stopped and started again, so --trace-cost and --cuda-graphs do not go together",
                     works)};
}

}  // namespace

std::vector<Finding> gpuFindings() {
    std::vector<Finding> findings;
    const Sentence plugin_name = sentence("CUDA plugin"), gpus_name = sentence("GPUs"),
                   no_gpu = sentence("none; every schedule runs on the CPU");
    try {
        const auto plugin = CudaPlugin::load();
        const BscopePlugin& api = plugin->api();
        findings.push_back({plugin_name, true,
                            sentence("built with CUDA {0} for {1}",
                                     versionText(static_cast<int>(api.toolkit)), api.built_for)});
        findings.push_back(driver());
        try {
            const auto gpus = plugin->gpus();
            for (std::size_t i = 0; i < gpus.size(); ++i)
                findings.push_back(
                    {i == 0 ? gpus_name : Sentence(), true, gpuText(api, static_cast<int>(i), gpus[i])});
            findings.push_back(paths(api, gpus.size()));
            findings.push_back(tracing(api));
        } catch (const std::runtime_error& error) {
            findings.push_back({gpus_name, false, sentence("{0}: {1}", no_gpu, sentenceOf(error))});
        }
    } catch (const PluginError& error) {
        findings.push_back({plugin_name, false, sentenceOf(error)});
        findings.push_back(driver());
        findings.push_back({gpus_name, false, no_gpu});
    }
    return findings;
}

}  // namespace bscope::cli
