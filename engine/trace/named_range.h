// NamedRange: as long as it lives, what the calling thread does stands under the action's name in a profiler
// that reads NVTX: "rank 1: 2F0".
#pragma once

#include <string>

#include "kernels/plugin/plugin_abi.h"
#include "schedule/action.h"

namespace bscope {

class NamedRange {
public:
    // The api must outlive it.
    NamedRange(const BscopePlugin& api, int rank, const Action& action) : api_(api) {
        api_.range_push(("rank " + std::to_string(rank) + ": " + toText(action)).c_str());
    }
    NamedRange(const NamedRange&) = delete;
    NamedRange& operator=(const NamedRange&) = delete;
    ~NamedRange() { api_.range_pop(); }

private:
    const BscopePlugin& api_;
};

}  // namespace bscope
