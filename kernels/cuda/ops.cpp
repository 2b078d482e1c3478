// The operations of the plugin's table, and their handle.
#include <stdexcept>

#include "kernels/cuda/handles.h"
#include "kernels/cuda/matmul.h"
#include "kernels/cuda/plugin_parts.h"
#include "kernels/plugin/error_text.h"

BscopeOps::BscopeOps(BscopeStream& its_stream, bscope::Precision precision)
    : stream(its_stream), matmul(std::make_unique<bscope::cuda::Matmul>(its_stream, precision)) {}

BscopeOps::~BscopeOps() = default;

namespace bscope::cuda {

namespace {

BscopeError opsOpen(BscopeStream* stream, int64_t precision, BscopeOps** opened) {
    return guarded([&] {
        if (precision != BSCOPE_FP32 && precision != BSCOPE_BF16)
            throw Refusal("the plugin computes in fp32 or bf16");
        stream->device->enter();
        *opened = new BscopeOps(*stream, static_cast<Precision>(precision));
    });
}

void opsClose(BscopeOps* ops) {
    cudaSetDevice(ops->stream.device->index);
    delete ops;
}

uint64_t workspaceBytes(const BscopeOps* ops) {
    return ops->scratch.bytes() + ops->matmul->bytes();
}

void opsFused(const BscopeOps* ops, uint32_t* fused, uint32_t* apart) {
    *fused = ops->matmul->fused();
    *apart = ops->matmul->apart();
}

template <class Operation>
BscopeError runGuarded(BscopeOps* ops, const Operation* operation) {
    return guarded([&] {
        ops->stream.device->enter();
        run(*ops, *operation);
        ops->stream.waitIfAsked();
    });
}

}  // namespace

void addOps(BscopePlugin& plugin) {
    plugin.ops_open = &opsOpen;
    plugin.ops_close = &opsClose;
    plugin.ops_workspace_bytes = &workspaceBytes;
    plugin.ops_fused = &opsFused;
#define BSCOPE_ENTER(Name, name) plugin.op_##name = &runGuarded<Bscope##Name>;
    BSCOPE_OPERATIONS(BSCOPE_ENTER)
#undef BSCOPE_ENTER
}

}  // namespace bscope::cuda
