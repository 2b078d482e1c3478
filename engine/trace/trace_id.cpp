#include "trace/trace_id.h"

#include <stdexcept>
#include <string>

namespace bscope {

namespace {

struct Field {
    const char* name;
    unsigned shift, bits;
    std::uint64_t mask() const { return (std::uint64_t{1} << bits) - 1; }
};
constexpr Field kIteration{"iteration", 53, 11}, kRank{"rank", 39, 14}, kOp{"operation", 34, 5},
    kStage{"stage", 21, 13}, kPart{"part", 17, 4}, kMicrobatch{"micro-batch", 0, 17},
    kVersion{"version", 0, 17};
static_assert(kWorkParts <= 1 << kPart.bits && kOpCount < 1 << kOp.bits);

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

// Operation, stage, micro-batch and version are stored plus one, so that no work is 0 and "none", -1, has a
// place.
std::uint64_t packTraceId(const TracedWork& traced) {
    const auto& [action, part, version] = traced.id;
    return put(kIteration, traced.iteration % kIterationIds) | put(kRank, traced.rank) |
           put(kOp, static_cast<int>(action.op) + 1) | put(kStage, action.stage + 1) |
           put(kPart, static_cast<int>(part)) |
           (action.op == Op::OptimizerStep ? put(kVersion, version + 1)
                                           : put(kMicrobatch, action.microbatch + 1));
}

TracedWork unpackTraceId(std::uint64_t id) {
    TracedWork traced;
    traced.iteration = get(kIteration, id);
    traced.rank = get(kRank, id);
    const Op op = static_cast<Op>(get(kOp, id) - 1);
    const bool is_step = op == Op::OptimizerStep;
    traced.id = {{get(kStage, id) - 1, op, is_step ? -1 : get(kMicrobatch, id) - 1},
                 static_cast<WorkPart>(get(kPart, id)),
                 is_step ? get(kVersion, id) - 1 : -1};
    return traced;
}

}  // namespace bscope
