// The plugin's one exported function.
#include "kernels/cuda/plugin_parts.h"

namespace bscope::cuda {

namespace {

BscopePlugin completePlugin() {
    BscopePlugin plugin{};
    plugin.abi = BSCOPE_PLUGIN_ABI;
    plugin.toolkit = CUDART_VERSION;
    plugin.built_for = BSCOPE_CUDA_ARCHITECTURES;
    addMachine(plugin);
    addOps(plugin);
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
