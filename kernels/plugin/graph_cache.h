// GraphCache: operations that come again and again in the same order with the same arguments, as CUDA graphs:
// one call of the driver instead of one a kernel. A sequence is known by everything that its calls were
// given, addresses included. The first time it runs as it is, so that what grows with use has grown; the
// second time it becomes a graph, which runs from then on. One thread.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/plugin/plugin.h"

namespace bscope {

class GraphCache {
public:
    // Both must outlive the cache.
    GraphCache(const BscopePlugin& api, BscopeStream* stream) : api_(api), stream_(stream) {}
    GraphCache(const GraphCache&) = delete;
    GraphCache& operator=(const GraphCache&) = delete;
    ~GraphCache() { forget(); }

    bool isRecording() const { return recording_; }
    // While recording: `call` is one of the sequence, known by `parts`.
    template <class... Parts>
    void add(std::function<void()> call, const Parts&... parts) {
        (append(parts), ...);
        calls_.push_back(std::move(call));
    }
    // Records what `work` adds and then does it. What a call throws ends it.
    void run(const std::function<void()>& work);

private:
    struct Sequence {
        bool seen = false;
        BscopeGraph* graph = nullptr;
    };

    template <class Part>
    void append(const Part& part) {
        if constexpr (std::is_same_v<Part, BscopeOperand> || std::is_same_v<Part, BscopeConstOperand>) {
            append(part.data);
            append(part.precision);
        } else {
            static_assert(std::is_arithmetic_v<Part> || std::is_pointer_v<Part>);
            key_.append(reinterpret_cast<const char*>(&part), sizeof(part));
        }
    }
    void record(const std::function<void()>& work);
    BscopeGraph* capture();
    void forget();

    const BscopePlugin& api_;
    BscopeStream* stream_;
    bool recording_ = false;
    std::string key_;
    std::vector<std::function<void()>> calls_;
    std::unordered_map<std::string, Sequence> sequences_;
};

}  // namespace bscope
