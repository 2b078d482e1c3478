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
    const std::string cause = "GPU " + std::to_string(index) + ", " + gpu.name + ", is sm_" +
                              std::to_string(has) + ", and the plugin was built for " + api.built_for;
    const std::string build = has < kLeast
                                  ? "; it needs sm_" + std::to_string(kLeast) + " or newer"
                                  : "; build it with -DCMAKE_CUDA_ARCHITECTURES=" + std::to_string(has);
    throw PluginError(cause + build + ", or leave this GPU out with CUDA_VISIBLE_DEVICES");
}

}  // namespace

void askForQueues() {
    ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

std::filesystem::path CudaPlugin::defaultFile() {
    if (const char* file = std::getenv("BSCOPE_CUDA_PLUGIN"); file && *file) return file;
    return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "bscope_cuda.so";
}

std::shared_ptr<const CudaPlugin> CudaPlugin::load(const std::filesystem::path& file) {
    const std::string name = "the CUDA plugin " + file.string();
    if (!std::filesystem::exists(file))
        throw PluginError(
            name +
            " is not there: it is built when nvcc of the CUDA 13 toolkit is found; install that and "
            "build again");
    // Never unloaded: CUDA's threads may outlive every handle.
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) {
        const char* const cause = dlerror();
        throw PluginError(
            name + " cannot be loaded: " + (cause ? cause : "no cause given") +
            "; the libraries of CUDA 13 must be where it was built with them or in LD_LIBRARY_PATH");
    }
    const auto entry = reinterpret_cast<BscopePluginEntry>(dlsym(library, BSCOPE_PLUGIN_ENTRY));
    const BscopePlugin* const api = entry ? entry() : nullptr;
    const std::uint32_t version = api ? api->abi : 0;
    dlclose(library);
    if (!api) throw PluginError(name + " is no plugin of this program: it has no " BSCOPE_PLUGIN_ENTRY);
    if (version != BSCOPE_PLUGIN_ABI)
        throw PluginError(name + " has interface version " + std::to_string(version) +
                          ", this program needs " + std::to_string(BSCOPE_PLUGIN_ABI) +
                          "; build both from the same sources");
    return std::shared_ptr<const CudaPlugin>(new CudaPlugin(api));
}

int CudaPlugin::count() const {
    std::int32_t count = 0;
    if (const BscopeError error = api_->device_count(&count)) throw PluginError(error);
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
