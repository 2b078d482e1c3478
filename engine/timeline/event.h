// Event: one thing that happened (or would happen) on one rank. Fixed-size value; what the engine streams, a
// recording holds and the window draws. Times are nanoseconds on the run's device clocks, from the start of
// the run.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/action.h"

namespace bscope {

// Where times come from. Never mixed within an iteration, shown with every number.
// Imported: another program ran and timed it; the times are those of its files.
enum class Provenance : std::uint8_t { Measured, Reconstructed, Predicted, Imported };
const char* toText(Provenance value);  // "MEASURED" | "RECONSTRUCTED" | "PREDICTED" | "IMPORTED"

inline constexpr std::int32_t kNoVersion = -1;

struct Event {
    std::int64_t start_ns = 0;  // receive: when the receiver had nothing else to do and began to wait
    std::int64_t end_ns = 0;    // receive: when the data was there
    // Receive: when the sender was done and the data began to travel; [start, transfer) is wait,
    // [transfer, end) is transfer. A receive that arrives before it is needed has start = transfer (hidden).
    std::int64_t transfer_ns = 0;
    std::int64_t bytes =
        0;  // compute: activation bytes taken (F) or returned (B, W); communication: message size
    std::int32_t iteration = 0;  // counts from 0 within the run
    std::int32_t stage = -1;
    std::int32_t microbatch = -1;
    std::int16_t rank = 0;
    Op op = Op::Forward;
    // Asynchronous schedules. F, B, I, W, R: the version of the rank's weights it computed with; OPT: the
    // version it made. Version n is what n optimizer steps of the training have made. -1: not applicable, the
    // schedule has one version an iteration, or it is communication.
    std::int32_t weight_version = kNoVersion;
    // Newer versions the rank had when it ran; OPT: by how many versions the weights of its gradients were
    // older than those it updates.
    std::int16_t staleness = 0;
    bool disturbed = false;  // wall / CPU time above 1.05: something else ran on this core
    std::int8_t segment = -1;  // of the micro-batch; -1: all of it

    std::int64_t duration_ns() const { return end_ns - start_ns; }
    Action action() const { return {stage, op, microbatch, false, segment}; }
    void setAction(const Action& action) {
        stage = action.stage;
        op = action.op;
        microbatch = action.microbatch;
        segment = static_cast<std::int8_t>(action.segment());
    }
    bool operator==(const Event&) const = default;
};

// One kernel, copy or fill that a GPU ran for an action, or one collective over the shards of its stage: the
// drill-down of its box.
struct KernelEvent {
    enum class Kind : std::uint8_t { Kernel, Copy, Fill, AllReduce, ReduceScatter, AllGather };
    std::int64_t start_ns = 0, end_ns = 0;  // device clocks, as the action's event
    std::int64_t bytes = 0;                 // of a copy or fill; of a collective those that the rank sent
    std::int32_t iteration = 0;
    std::int32_t stage = -1;
    std::int32_t microbatch = -1;
    std::int16_t rank = 0;
    Op op = Op::Forward;
    Kind kind = Kind::Kernel;
    std::string name;          // readable, empty for copies, fills and collectives
    std::int64_t wait_ns = 0;  // of a collective: from its start until the last shard was ready
    std::int8_t segment = -1;  // of the micro-batch; -1: all of it

    Action action() const { return {stage, op, microbatch, false, segment}; }
    bool isCollective() const { return kind >= Kind::AllReduce; }
    bool operator==(const KernelEvent&) const = default;
};

// One step of a rank's activation memory, as its arena recorded it (or as predicted).
struct MemoryPoint {
    std::int64_t time_ns = 0;
    std::int64_t live_bytes = 0;  // activation bytes held after this point
    std::int32_t iteration = 0;
    std::int16_t rank = 0;
    std::int16_t in_flight = 0;  // (stage, micro-batch) chunks between start of F and end of B (split: of W)
    bool operator==(const MemoryPoint&) const = default;
};

}  // namespace bscope
