// A plugin of a version that does not exist yet.
#include "kernels/plugin/plugin_abi.h"

extern "C" const BscopePlugin* bscope_cuda_plugin() {
    static const BscopePlugin plugin = [] {
        BscopePlugin future{};
        future.abi = BSCOPE_PLUGIN_ABI + 6;
        return future;
    }();
    return &plugin;
}
