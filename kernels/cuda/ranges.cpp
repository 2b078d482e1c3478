// NVTX behind the C interface: a profiler that listens, Nsight Systems for example, puts the ranges above its
// rows of kernels. Headers only; the profiler is looked up at the first call.
#include <nvtx3/nvToolsExt.h>

#include "kernels/cuda/plugin_parts.h"

namespace bscope::cuda {

namespace {

nvtxDomainHandle_t domain() {
    static const nvtxDomainHandle_t only = nvtxDomainCreateA("Bubblescope");
    return only;
}

void rangePush(const char* name) {
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name;
    nvtxDomainRangePushEx(domain(), &attributes);
}

void rangePop() {
    nvtxDomainRangePop(domain());
}

}  // namespace

void addRanges(BscopePlugin& plugin) {
    plugin.range_push = &rangePush;
    plugin.range_pop = &rangePop;
}

}  // namespace bscope::cuda
