// The plugin's one exported function.
#include "emulated.h"

extern "C" __attribute__((visibility("default"))) const BscopePlugin* bscope_cuda_plugin() {
    static const BscopePlugin plugin = [] {
        BscopePlugin made{};
        made.abi = BSCOPE_PLUGIN_ABI;
        made.toolkit = 13000;
        made.built_for = "sm_80 sm_90";
        emulated::addMachine(made);
        emulated::addOps(made);
        emulated::addTracer(made);
        emulated::addLinks(made);
        return made;
    }();
    return &plugin;
}
