// Action: one thing one rank does for one stage and one micro-batch, or one segment of it; the element that
// every schedule consists of. A value. Text form as in PyTorch's schedule CSV: `2F0`, `3B1`, `2I4` (input
// gradient), `2W4` (weight gradient), `1SEND_F0`, `2RECV_F0`, ours in addition: `2R3` (recompute), `OPT`
// (optimizer step of the rank), `2GATHER_WEIGHTS` and, where sequences are cut, the segment: `2F0.1`;
// `2GATHER_WEIGHTS` and `2REDUCE_GRAD` name no micro-batch.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace bscope {

enum class Op : std::uint8_t {
    Forward,          // F
    Backward,         // B: input and weight gradient in one piece
    BackwardInput,    // I: gradient with respect to the stage's input (dgrad; zero-bubble papers call it B)
    BackwardWeight,   // W: gradient with respect to the weights (wgrad)
    Recompute,        // R: forward again under activation checkpointing, directly before B or I
    SendForward,      // SEND_F: activation to the next stage
    RecvForward,      // RECV_F: activation from the previous stage
    SendBackward,     // SEND_B: gradient to the previous stage
    RecvBackward,     // RECV_B: gradient from the next stage
    OptimizerStep,    // OPT: once a rank and iteration; stage and microbatch are -1
    ReduceGradients,  // REDUCE_GRAD: a stage adds the gradients of its copies in all replicas; microbatch -1
    GatherWeights,  // GATHER_WEIGHTS: under ZeRO, after OPT, a stage takes what its copies stepped; likewise
};
inline constexpr int kOpCount = 12;

// Short text form of the operation alone: "F", "SEND_B", ...
std::string_view opText(Op op);
// Inverse of opText.
std::optional<Op> parseOp(std::string_view text);

constexpr bool isReceive(Op op) {
    return op == Op::RecvForward || op == Op::RecvBackward;
}
constexpr bool isSend(Op op) {
    return op == Op::SendForward || op == Op::SendBackward;
}
constexpr bool isCommunication(Op op) {
    return isReceive(op) || isSend(op);
}
// What the copies of a stage do together, once an iteration; names no micro-batch.
constexpr bool isOfCopies(Op op) {
    return op == Op::ReduceGradients || op == Op::GatherWeights;
}
// F, B, I, W and R: what counts as useful device work in the bubble definitions.
constexpr bool isCompute(Op op) {
    return op <= Op::Recompute;
}

// Most segments that a sequence may be cut into.
inline constexpr int kMaxSegments = 15;

// Eight bytes, since a schedule may have millions of them.
struct Action {
    static constexpr std::int32_t kLargestStage = (1 << 18) - 1;  // what is larger is stored as this

    constexpr Action() = default;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"  // the number was brought within its bits
    constexpr Action(std::int32_t of_stage, Op its_op, std::int32_t of_microbatch = -1,
                     bool with_next = false, std::int32_t of_segment = -1)
        : stage(std::clamp(of_stage, -kLargestStage, kLargestStage)),
          overlaps_next(with_next),
          segment_or_whole(static_cast<std::uint32_t>(std::clamp(of_segment, -1, kMaxSegments - 1) + 1)),
          op(its_op),
          microbatch(of_microbatch) {}
#pragma GCC diagnostic pop

    // The same of another stage.
    constexpr Action withStage(std::int32_t other) const {
        return {other, op, microbatch, overlaps_next, segment()};
    }
    // Another operation of the same micro-batch and segment, in a cell of its own.
    constexpr Action as(Op other_op, std::int32_t of_stage) const {
        return {of_stage, other_op, microbatch, false, segment()};
    }
    constexpr Action as(Op other_op) const {
        return as(other_op, stage);
    }
    // 0..q-1 where sequences are cut into q segments; -1: the whole micro-batch.
    constexpr std::int32_t segment() const {
        return static_cast<std::int32_t>(segment_or_whole) - 1;
    }

    // Of the schedule; the stage owned by the acting rank, also for SEND and RECV.
    std::int32_t stage : 19 = -1;
    // This action and the next one of the rank are one overlapped cell, `(0F7;7B3)OVERLAP_F_B`.
    bool overlaps_next : 1 = false;
    std::uint32_t segment_or_whole : 4 = 0;  // segment() + 1
    Op op = Op::Forward;
    std::int32_t microbatch = -1;  // 0..m-1

    bool operator==(const Action&) const = default;
    auto operator<=>(const Action& other) const {
        return std::tuple(stage, op, microbatch, segment(), overlaps_next) <=>
               std::tuple(other.stage, other.op, other.microbatch, other.segment(), other.overlaps_next);
    }
};
static_assert(sizeof(Action) == 8);

// "3", and of a segment "3.1".
std::string pieceText(std::int32_t microbatch, std::int32_t segment);
std::string toText(const Action& action);
// The same at the end of a text.
void appendText(std::string& text, const Action& action);
// Whole text must match; nullopt otherwise. Overlap cells are two actions and are read by the CSV reader.
std::optional<Action> parseAction(std::string_view text);

}  // namespace bscope
