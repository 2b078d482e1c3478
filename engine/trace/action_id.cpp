#include "trace/action_id.h"

#include <stdexcept>
#include <string>

namespace bscope {

namespace {

struct Field {
    const char* name;
    unsigned shift, bits;
    std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};
constexpr Field kIteration{"iteration", 49, 15}, kRank{"rank", 35, 14}, kOp{"operation", 30, 5},
    kStage{"stage", 17, 13}, kMicrobatch{"micro-batch", 0, 17};

std::uint64_t put(const Field& field, int value) {
    if (value < 0 || static_cast<std::uint64_t>(value) > field.mask())
        throw std::out_of_range(std::string(field.name) + " " + std::to_string(value) +
                                " does not fit into a trace id of " + std::to_string(field.bits) + " bits");
    return static_cast<std::uint64_t>(value) << field.shift;
}

int get(const Field& field, std::uint64_t id) {
    return static_cast<int>(id >> field.shift & field.mask());
}

}  // namespace

// Operation, stage and micro-batch are stored plus one, so that no action is 0 and "none", -1, has a place.
std::uint64_t packActionId(const TracedAction& traced) {
    return put(kIteration, traced.iteration % kIterationIds) | put(kRank, traced.rank) |
           put(kOp, static_cast<int>(traced.action.op) + 1) | put(kStage, traced.action.stage + 1) |
           put(kMicrobatch, traced.action.microbatch + 1);
}

TracedAction unpackActionId(std::uint64_t id) {
    TracedAction traced;
    traced.iteration = get(kIteration, id);
    traced.rank = get(kRank, id);
    traced.action = {get(kStage, id) - 1, static_cast<Op>(get(kOp, id) - 1), get(kMicrobatch, id) - 1};
    return traced;
}

}  // namespace bscope
