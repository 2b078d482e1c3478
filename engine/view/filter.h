// Filter: which operations of an iteration are looked at; all others are drawn pale. A value; the numbers of
// an iteration do not depend on it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "schedule/action.h"

namespace bscope {

struct Filter {
    std::set<Op> hidden_ops;
    std::set<int> hidden_ranks;
    std::optional<int> stage, microbatch;  // only this one; index as in files

    bool isOn() const { return *this != Filter(); }
    bool passes(int rank, const Action& action) const {
        return !hidden_ops.contains(action.op) && !hidden_ranks.contains(rank) &&
               (!stage || *stage == action.stage) && (!microbatch || *microbatch == action.microbatch);
    }
    bool operator==(const Filter&) const = default;
};

}  // namespace bscope
