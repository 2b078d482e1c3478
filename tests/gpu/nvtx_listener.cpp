// What a profiler injects to hear of NVTX ranges: writes "DOMAIN push NAME" and "DOMAIN pop" to the file that
// NVTX_LISTENER_FILE names.
#include <nvtx3/nvToolsExt.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

namespace {

void write(nvtxDomainHandle_t domain, const std::string& text) {
    std::ofstream(std::getenv("NVTX_LISTENER_FILE"), std::ios::app)
        << *reinterpret_cast<const std::string*>(domain) << ' ' << text << '\n';
}

nvtxDomainHandle_t createDomain(const char* name) {
    static std::set<std::string> names;
    return reinterpret_cast<nvtxDomainHandle_t>(const_cast<std::string*>(&*names.insert(name).first));
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
    write(domain, std::string("push ") + attributes->message.ascii);
    return 0;
}

int pop(nvtxDomainHandle_t domain) {
    write(domain, "pop");
    return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t exportTable) {
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(exportTable(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size)) return 0;
    *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&createDomain);
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
    *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
    return 1;
}
