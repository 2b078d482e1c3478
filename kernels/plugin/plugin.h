// CudaPlugin: the loaded plugin, the only way from the engine to CUDA. What can be missing is told in a
// sentence that names it and says what to do: no plugin, a plugin of another version, a library the plugin
// needs, no driver, an old driver, no GPU, an old GPU. Any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/plugin/plugin_abi.h"
#include "words/said.h"

namespace bscope {

// First of all in main: the driver reads it when CUDA is called for the first time, which an MPI library that
// knows CUDA does in MPI_Init. A rank has a stream for each link and each direction; where streams share one
// of the GPU's queues, what computes may stand behind a receive that spins. So it gets as many as it can
// have, unless the user has said.
void askForQueues();

// There is no GPU to work with, and why.
struct PluginError : SaidError<> {
    using SaidError::SaidError;
};

// A call of the plugin failed.
struct DeviceError : std::runtime_error {
    explicit DeviceError(const std::string& what, bool lost = false)
        : std::runtime_error(what), gpu_is_lost(lost) {}
    bool gpu_is_lost;  // nothing more can be done on that GPU in this process
};

class CudaPlugin {
public:
    // Beside the running program, unless the environment's BSCOPE_CUDA_PLUGIN names a file.
    static std::filesystem::path defaultFile();
    // Throws PluginError. The library stays loaded until the process ends.
    static std::shared_ptr<const CudaPlugin> load(const std::filesystem::path& file = defaultFile());

    const BscopePlugin& api() const { return *api_; }
    // Throws PluginError when there is none.
    int count() const;
    // Throws DeviceError, and PluginError for a GPU that the plugin has no kernels for.
    BscopeGpu describe(int index) const;
    // All of them. Throws PluginError when there is none, or one without kernels.
    std::vector<BscopeGpu> gpus() const;

private:
    explicit CudaPlugin(const BscopePlugin* api) : api_(api) {}
    const BscopePlugin* api_;
};

// Throws DeviceError when there is an error.
inline void check(BscopeError error) {
    if (error) throw DeviceError(error, std::string_view(error).starts_with(BSCOPE_GPU_LOST));
}

}  // namespace bscope
