// Ops on a GPU: each operation is one call of the plugin, at once or as part of a graph. See plugin_abi.h for
// errors, which are thrown as DeviceError.
#pragma once

#include "kernels/ops.h"
#include "kernels/plugin/graph_cache.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

class CudaOps final : public Ops {
public:
    // Api and stream must outlive this.
    CudaOps(const BscopePlugin& api, BscopeStream* stream, Precision precision)
        : api_(api), ops_(open(api, stream, precision)), graphs_(api, stream, ops_) {}
    CudaOps(const CudaOps&) = delete;
    CudaOps& operator=(const CudaOps&) = delete;
    ~CudaOps() override { api_.ops_close(ops_); }

    std::size_t workspaceBytes() const override { return api_.ops_workspace_bytes(ops_); }
    std::size_t attentionKeptFloats(std::size_t B, std::size_t T, std::size_t heads) const override {
        return B * heads * T;
    }
    void fused(std::uint32_t* fused, std::uint32_t* apart) const { api_.ops_fused(ops_, fused, apart); }

    void together(const std::function<void()>& calls) override { graphs_.run(calls); }

#define BSCOPE_FORWARD(Name, name)             \
    void run(const Name& operation) override { \
        forward(operation);                    \
    }
    BSCOPE_OPERATIONS(BSCOPE_FORWARD)
#undef BSCOPE_FORWARD

private:
    static BscopeOps* open(const BscopePlugin& api, BscopeStream* stream, Precision precision) {
        BscopeOps* ops = nullptr;
        check(api.ops_open(stream, static_cast<std::int64_t>(precision), &ops));
        return ops;
    }
    template <class Operation>
    void forward(const Operation& operation) {
        if (graphs_.isRecording())
            graphs_.add(operation);
        else
            handOver(api_, ops_, operation);
    }

    const BscopePlugin& api_;
    BscopeOps* ops_;
    GraphCache graphs_;
};

}  // namespace bscope
