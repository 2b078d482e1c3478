// Asks the plugin, and the machine itself where the plugin is not there.
#include "cli/doctor_gpu.h"

#include <dlfcn.h>

#include "cli/number_text.h"
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
        return {"CUDA driver", false,
                "without an NVIDIA GPU there is none; with one: apt install nvidia-driver"};
    int version = 0;
    if (auto* driverVersion = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion")))
        driverVersion(&version);
    dlclose(library);
    return {"CUDA driver", true, "CUDA " + versionText(version)};
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

std::string gpuText(const BscopePlugin& api, int index, const BscopeGpu& gpu) {
    const auto gigabytes = [](std::uint64_t bytes) {
        return fixed(static_cast<double>(bytes) / 1e9, 1) + " GB";
    };
    return std::string(gpu.name) + ", sm_" + std::to_string(gpu.compute_major) +
           std::to_string(gpu.compute_minor) + ", " + std::to_string(gpu.processors) + " processors, " +
           gigabytes(gpu.total_bytes) + ", " + gigabytes(usedBytes(api, index)) + " of it used, " +
           gpu.bus_id;
}

std::string englishOf(BscopeError error) {
    return say(sentenceOf(error), Language::English);
}

// How each pair of GPUs reaches the other.
Finding paths(const BscopePlugin& api, std::size_t gpus) {
    if (gpus < 2)
        return {"GPU paths", true, "one GPU, so its stages are timed one after another: RECONSTRUCTED"};
    std::string text;
    for (std::size_t from = 0; from < gpus; ++from)
        for (std::size_t to = from + 1; to < gpus; ++to) {
            BscopePeer peer{};
            const BscopeError error =
                api.peer(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), &peer);
            const std::string path = error                      ? englishOf(error)
                                     : peer.can_access == 0     ? "through host memory"
                                     : peer.native_atomics != 0 ? "direct, NVLink"
                                                                : "direct, PCIe";
            text += (text.empty() ? "" : "; ") + std::to_string(from) + "-" + std::to_string(to) + " " + path;
        }
    return {"GPU paths", true, text};
}

Finding tracing(const BscopePlugin& api) {
    if (const BscopeError error = api.trace_start()) return {"GPU tracing", false, englishOf(error)};
    if (const BscopeError error = api.trace_stop()) return {"GPU tracing", false, englishOf(error)};
    std::uint32_t version = 0;
    if (const BscopeError error = api.trace_version(&version))
        return {"GPU tracing", false, englishOf(error)};
    std::string text = "CUPTI " + std::to_string(version) + " traces, and no other profiler holds it";
    if (version < kGraphsAfterAPause)
        text +=
            "; before CUDA 13.1 Update 1 it loses the kernels of CUDA graphs once tracing was stopped and "
            "started again, so --trace-cost and --cuda-graphs do not go together";
    return {"GPU tracing", true, text};
}

}  // namespace

std::vector<Finding> gpuFindings() {
    std::vector<Finding> findings;
    const char* const no_gpu = "none; every schedule runs on the CPU";
    try {
        const auto plugin = CudaPlugin::load();
        const BscopePlugin& api = plugin->api();
        findings.push_back(
            {"CUDA plugin", true,
             "built with CUDA " + versionText(static_cast<int>(api.toolkit)) + " for " + api.built_for});
        findings.push_back(driver());
        try {
            const auto gpus = plugin->gpus();
            for (std::size_t i = 0; i < gpus.size(); ++i)
                findings.push_back({i == 0 ? "GPUs" : "", true,
                                    std::to_string(i) + ": " + gpuText(api, static_cast<int>(i), gpus[i])});
            findings.push_back(paths(api, gpus.size()));
            findings.push_back(tracing(api));
        } catch (const std::runtime_error& error) {
            findings.push_back({"GPUs", false, std::string(no_gpu) + ": " + error.what()});
        }
    } catch (const PluginError& error) {
        findings.push_back({"CUDA plugin", false, error.what()});
        findings.push_back(driver());
        findings.push_back({"GPUs", false, no_gpu});
    }
    return findings;
}

}  // namespace bscope::cli
