// GraphCache: operations that come again and again in the same order with the same arguments, as CUDA graphs:
// one call of the driver instead of one a kernel. A sequence is known by its operations, addresses included.
// The first time it runs as it is, so that what grows with use has grown; the second time it becomes a graph,
// which runs from then on. One thread.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <variant>
#include <vector>

#include "kernels/ops.h"
#include "kernels/plugin/plugin.h"

namespace bscope {

// One operation on the GPU: its entry in the plugin's table.
#define BSCOPE_HAND_OVER(Name, name)                                                       \
    inline void handOver(const BscopePlugin& api, BscopeOps* ops, const Name& operation) { \
        check(api.op_##name(ops, &operation));                                             \
    }
BSCOPE_OPERATIONS(BSCOPE_HAND_OVER)
#undef BSCOPE_HAND_OVER

class GraphCache {
public:
    // All must outlive the cache.
    GraphCache(const BscopePlugin& api, BscopeStream* stream, BscopeOps* ops)
        : api_(api), stream_(stream), ops_(ops) {}
    GraphCache(const GraphCache&) = delete;
    GraphCache& operator=(const GraphCache&) = delete;
    ~GraphCache() { forget(); }

    bool isRecording() const { return recording_; }
    // While recording: it is one of the sequence.
    template <class Operation>
    void add(const Operation& operation) {
        static_assert(std::is_trivially_copyable_v<Operation>);
        operations_.emplace_back(operation);
        const auto which = operations_.back().index();
        key_.append(reinterpret_cast<const char*>(&which), sizeof(which));
        key_.append(reinterpret_cast<const char*>(&operation), sizeof(operation));
    }
    // Records what `work` adds and then does it. What an operation throws ends it.
    void run(const std::function<void()>& work);

private:
    struct Sequence {
        bool seen = false;
        BscopeGraph* graph = nullptr;
    };
#define BSCOPE_OR(Name, name) , Name
    template <class, class... Operations>
    using AnyOf = std::variant<Operations...>;
    using AnyOperation = AnyOf<void BSCOPE_OPERATIONS(BSCOPE_OR)>;
#undef BSCOPE_OR

    void record(const std::function<void()>& work);
    void handAllOver();
    BscopeGraph* capture();
    void forget();

    const BscopePlugin& api_;
    BscopeStream* stream_;
    BscopeOps* ops_;
    bool recording_ = false;
    std::vector<AnyOperation> operations_;
    std::string key_;  // their bytes
    std::unordered_map<std::string, Sequence> sequences_;
};

}  // namespace bscope
