// CudaPlugin: the loaded plugin, the only way from the engine to CUDA. An error names what is missing and
// says what to do: no plugin, a plugin of another version, a library the plugin needs, no driver, an old
// driver, no GPU, an old GPU. Any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/plugin/plugin_abi.h"
#include "words/sentence_error.h"

namespace bscope {

// Sets the number of the GPU's hardware queues to the maximum, unless the environment sets it. First in main:
// the driver reads it at the first call of CUDA, which a CUDA-aware MPI library makes in MPI_Init. A rank has
// a stream for each link and each direction; where streams share a queue, a kernel that computes may wait
// behind a receive that spins.
void askForQueues();

// There is no GPU to work with, and why.
struct PluginError : SentenceError<> {
    using SentenceError::SentenceError;
};

// A call of the plugin failed.
struct DeviceError : SentenceError<> {
    explicit DeviceError(const Sentence& what, bool lost = false) : SentenceError(what), gpu_is_lost(lost) {}
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

// Why a call failed. Not null.
Sentence sentenceOf(BscopeError error);

// Throws DeviceError when there is an error.
inline void check(BscopeError error) {
    if (error) throw DeviceError(sentenceOf(error), error->gpu_is_lost != 0);
}

}  // namespace bscope
