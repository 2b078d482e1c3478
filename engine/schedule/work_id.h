// WorkId: a piece of work of a rank that is handed over and timed on its own: an action, or a part of an
// action that is done in several. What clocks, tracers and watches know work by. A value.
#pragma once

#include <compare>
#include <cstdint>
#include <tuple>

#include "schedule/action.h"

namespace bscope {

enum class WorkPart : std::uint8_t {
    Main,    // the action, or its last part: the one that is shown
    Norm,    // of OPT: the squares of the rank's gradients
    Gather,  // of REDUCE_GRAD and GATHER_WEIGHTS: what is sent copied together
    Fold,    // of REDUCE_GRAD: every copy's gradients of a slice added up
};
inline constexpr int kWorkParts = 4;

struct WorkId {
    constexpr WorkId() = default;
    constexpr WorkId(const Action& its_action, WorkPart its_part = WorkPart::Main,
                     std::int32_t its_version = -1)
        : action(its_action), part(its_part), version(its_version) {}
    constexpr WorkId(std::int32_t stage, Op op, std::int32_t microbatch = -1)
        : WorkId(Action(stage, op, microbatch)) {}

    Action action;
    WorkPart part = WorkPart::Main;
    std::int32_t version = -1;  // of the weights, which a step of an endless stream makes; else -1

    bool operator==(const WorkId&) const = default;
    auto operator<=>(const WorkId& other) const {
        return std::tie(action, part, version) <=> std::tie(other.action, other.part, other.version);
    }
};

}  // namespace bscope
