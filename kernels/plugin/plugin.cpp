#include "kernels/plugin/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>

namespace bscope {

namespace {

constexpr int kLeast = 80;  // what the kernels are written for: products of bf16 and copies in the background

// 80 of "sm_80 sm_90": kernels run on newer GPUs as well. As long as a number follows.
int oldestOf(const std::string& built_for) {
    int oldest = std::numeric_limits<int>::max();
    std::istringstream words(built_for);
    for (std::string word; words >> word;)
        if (word.starts_with("sm_")) oldest = std::min(oldest, std::atoi(word.c_str() + 3));
    return oldest == std::numeric_limits<int>::max() ? 0 : oldest;
}

void checkKernels(const BscopePlugin& api, int index, const BscopeGpu& gpu) {
    const int has = 10 * gpu.compute_major + gpu.compute_minor;
    if (has >= oldestOf(api.built_for)) return;
    throw PluginError(
        has < kLeast
            ? sentence("GPU {0}, {1}, is sm_{2}, and the plugin was built for {3}; it needs sm_{4} or newer, "
                       "or leave this GPU out with CUDA_VISIBLE_DEVICES",
                       index, gpu.name, has, api.built_for, kLeast)
            : sentence("GPU {0}, {1}, is sm_{2}, and the plugin was built for {3}; build it with "
                       "-DCMAKE_CUDA_ARCHITECTURES={2}, or leave this GPU out with CUDA_VISIBLE_DEVICES",
                       index, gpu.name, has, api.built_for));
}

// 13.0 of 13000
std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

void askForQueues() {
    ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

std::filesystem::path CudaPlugin::defaultFile() {
    if (const char* file = std::getenv("BSCOPE_CUDA_PLUGIN"); file && *file) return file;
    const std::filesystem::path bin = std::filesystem::read_symlink("/proc/self/exe").parent_path(),
                                installed = bin.parent_path() / "lib/bubblescope/bscope_cuda.so";
    std::error_code unreadable;
    return std::filesystem::exists(installed, unreadable) ? installed : bin / "bscope_cuda.so";
}

std::shared_ptr<const CudaPlugin> CudaPlugin::load(const std::filesystem::path& file) {
    const std::string name = file.string();
    if (!std::filesystem::exists(file))
        throw PluginError(
            sentence("the CUDA plugin {0} is not there: install its package (bubblescope-cuda with pip, "
                     "bscope-cuda with apt), or build again where nvcc of the CUDA 13 toolkit is found",
                     name));
    // Never unloaded: CUDA's threads may outlive every handle.
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char* const cause = dlerror();
        throw PluginError(sentence(
            "the CUDA plugin {0} cannot be loaded: {1}; the libraries of CUDA 13 must be where it was "
            "built with them or in LD_LIBRARY_PATH",
            name, cause ? Argument(cause) : Argument(sentence("no cause given"))));
    }
    const auto entry = reinterpret_cast<BscopePluginEntry>(dlsym(library, BSCOPE_PLUGIN_ENTRY));
    const BscopePlugin* const api = entry ? entry() : nullptr;
    const std::uint32_t version = api ? api->abi : 0;
    dlclose(library);
    if (!api)
        throw PluginError(sentence("the CUDA plugin {0} is no plugin of this program: it has no {1}", name,
                                   BSCOPE_PLUGIN_ENTRY));
    if (version != BSCOPE_PLUGIN_ABI)
        throw PluginError(sentence(
            "the CUDA plugin {0} has interface version {1}, this program needs {2}; build both from the same "
            "sources",
            name, version, BSCOPE_PLUGIN_ABI));
    return std::shared_ptr<const CudaPlugin>(new CudaPlugin(api));
}

Sentence sentenceOf(BscopeError error) {
    Sentence made{error->text, {}};
    for (std::uint64_t i = 0; i < error->argument_count; ++i)
        made.arguments.emplace_back(error->arguments[i]);
    return made;
}

// The three ways in which a machine has no GPU for us, each with what to do.
int CudaPlugin::count() const {
    std::int32_t driver = 0, count = 0;
    const auto toolkit = static_cast<std::int32_t>(api_->toolkit);
    if (api_->driver_version(&driver) != nullptr || driver == 0)
        throw PluginError(
            sentence("there is no NVIDIA driver on this machine; with an NVIDIA GPU install one, for example "
                     "apt install "
                     "nvidia-driver"));
    if (driver < toolkit / 1000 * 1000)
        throw PluginError(sentence(
            "the NVIDIA driver supports CUDA {0} but the plugin was built with {1}; install a newer driver",
            versionText(driver), versionText(toolkit)));
    if (const BscopeError error = api_->device_count(&count)) throw PluginError(sentenceOf(error));
    if (count == 0)
        throw PluginError(sentence(
            "the NVIDIA driver is there but finds no GPU; in a container or a batch job ask for one, and see "
            "CUDA_VISIBLE_DEVICES"));
    return count;
}

BscopeGpu CudaPlugin::describe(int index) const {
    BscopeGpu gpu{};
    check(api_->describe(index, &gpu));
    checkKernels(*api_, index, gpu);
    return gpu;
}

std::vector<BscopeGpu> CudaPlugin::gpus() const {
    std::vector<BscopeGpu> found;
    for (int index = 0, all = count(); index < all; ++index) found.push_back(describe(index));
    return found;
}

}  // namespace bscope
