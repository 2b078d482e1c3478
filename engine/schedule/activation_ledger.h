// ActivationLedger: when activations are taken and given back. The one rule that the prediction, the memory
// check before a run, the recorder of a run, the explanation of a schedule and the search share: a chunk (a
// stage's activations of one micro-batch) is in flight from the start of its F to the end of its B, or of its
// W when the backward is split; without a backward to the end of its F. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "schedule/action.h"

namespace bscope {

// Bytes of one chunk.
struct ChunkBytes {
    std::int64_t held = 0;             // after F, until R, B or I
    std::int64_t recomputed = 0;       // what R adds; 0 without R
    std::int64_t kept_for_weight = 0;  // after I, until W
    std::int64_t forward_peak = 0;     // most that F has live above what was live before it, >= held
    std::int64_t input_peak = 0;       // the same for I
    std::int64_t backward_peak = 0;    // the same for B: 0 where it takes nothing
};

struct ActivationStep {
    std::int64_t running_bytes = 0;  // most above what was live before, while it runs
    std::int64_t done_bytes = 0;     // the change once it has ended
    int chunks_at_start = 0, chunks_at_end = 0;

    bool changesAtStart() const { return running_bytes != 0 || chunks_at_start != 0; }
    bool changesAtEnd() const { return done_bytes != running_bytes || chunks_at_end != 0; }
};

// What an action of a rank does to its activations; nothing for what is no compute.
constexpr ActivationStep activationStep(Op op, const ChunkBytes& chunk, bool forward_only) {
    switch (op) {
        case Op::Forward:
            return {chunk.forward_peak, forward_only ? 0 : chunk.held, 1, forward_only ? -1 : 0};
        case Op::Recompute:
            return {chunk.recomputed, chunk.recomputed, 0, 0};
        case Op::Backward:
            return {chunk.backward_peak, -chunk.held - chunk.recomputed, 0, -1};
        case Op::BackwardInput:
            return {chunk.input_peak, chunk.kept_for_weight - chunk.held - chunk.recomputed, 0, 0};
        case Op::BackwardWeight:
            return {0, -chunk.kept_for_weight, 0, -1};
        default:
            return {};
    }
}

// Whether the bytes of an operation are taken by it (F, R) or given back.
constexpr bool takesActivations(Op op) {
    return activationStep(op, {1, 1, 1, 1, 1}, false).done_bytes > 0;
}

// Most chunks a rank has in flight at one time in this order.
constexpr int peakInFlight(std::span<const Action> order, bool forward_only = false) {
    int held = 0, most = 0;
    for (const Action& action : order) {
        const ActivationStep step = activationStep(action.op, {}, forward_only);
        held += step.chunks_at_start;
        most = std::max(most, held);
        held += step.chunks_at_end;
    }
    return most;
}

// Most bytes a rank has live at one time in this order, recomputation included. chunk_of(stage): ChunkBytes.
template <class ChunkOf>
std::int64_t peakBytes(std::span<const Action> actions, const ChunkOf& chunk_of, bool forward_only) {
    std::int64_t live = 0, peak = 0;
    for (const Action& action : actions) {
        if (!isCompute(action.op)) continue;
        const ActivationStep step = activationStep(action.op, chunk_of(action.stage), forward_only);
        peak = std::max(peak, live + step.running_bytes);
        live += step.done_bytes;
    }
    return peak;
}

}  // namespace bscope
