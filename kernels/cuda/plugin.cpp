// The plugin's one exported function.
#include <cstdlib>

#include "kernels/cuda/plugin_parts.h"

namespace bscope::cuda {

namespace {

// A rank has a stream for each link and each direction. Where streams share one of the GPU's queues, what
// computes may stand behind a receive that spins; so it gets as many as it can have, unless the user has
// said.
void askForQueues() {
    ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

BscopePlugin completePlugin() {
    askForQueues();  // before CUDA is called for the first time
    BscopePlugin plugin{};
    plugin.abi = BSCOPE_PLUGIN_ABI;
    plugin.toolkit = CUDART_VERSION;
    plugin.built_for = BSCOPE_CUDA_ARCHITECTURES;
    addMachine(plugin);
    addLinearOps(plugin);
    addElementwiseOps(plugin);
    addRowOps(plugin);
    addAttentionOps(plugin);
    addTracer(plugin);
    addRanges(plugin);
    addLinks(plugin);
    return plugin;
}

}  // namespace

}  // namespace bscope::cuda

extern "C" __attribute__((visibility("default"))) const BscopePlugin* bscope_cuda_plugin() {
    static const BscopePlugin plugin = bscope::cuda::completePlugin();
    return &plugin;
}
