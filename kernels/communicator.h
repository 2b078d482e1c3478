// Communicator: the messages between one rank and the others. Messages between two stages carry a tensor and
// the time at which the sender was done with it on its device clock; they are buffered without limit, so a
// send never waits. A receive is posted early and waited for by its consumer. Local threads, MPI and NCCL
// stand behind it. One thread at a time per rank; abort() from any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "words/sentence_error.h"

namespace bscope {

enum class MessageKind : std::uint8_t {
    Activation,  // from the previous stage
    Gradient,    // from the next stage: of what was sent there
    Slice,       // a copy's weight gradients, to the copy that adds this slice of them up
    Sum,         // of a slice, to the other copies
    Weights,     // of a slice that its copy has stepped, to the other copies (ZeRO)
    ShardRound,  // between the shards of a stage, in a round of a collective
    ShardNext,   // in the round after it, and so on in turn: a slow shard may not have taken the one before
};

// Names one message of an iteration.
struct MessageTag {
    // Of a stage's input or output.
    static constexpr MessageTag activation(std::int32_t to_stage, std::int32_t microbatch,
                                           std::int32_t segment = -1) {
        return {MessageKind::Activation, to_stage, microbatch, -1, segment};
    }
    static constexpr MessageTag gradient(std::int32_t to_stage, std::int32_t microbatch,
                                         std::int32_t segment = -1) {
        return {MessageKind::Gradient, to_stage, microbatch, -1, segment};
    }
    // Of weights, between the copies of a stage.
    static constexpr MessageTag ofReduction(MessageKind kind, std::int32_t to_stage, std::int32_t from_copy) {
        return {kind, to_stage, -1, from_copy, -1};
    }

    MessageKind kind = MessageKind::Activation;
    std::int32_t stage = 0;       // that receives it
    std::int32_t microbatch = 0;  // -1 between copies
    std::int32_t from =
        -1;  // the copy of the stage that sends it, or the shard; -1 of activations and gradients
    std::int32_t segment = -1;  // of the micro-batch; -1: all of it
    auto operator<=>(const MessageTag&) const = default;
};
// Between the copies of a stage: sums of gradients, or weights.
constexpr bool isOfReduction(MessageKind kind) {
    return kind == MessageKind::Slice || kind == MessageKind::Sum || kind == MessageKind::Weights;
}
constexpr bool isOfShards(MessageKind kind) {
    return kind == MessageKind::ShardRound || kind == MessageKind::ShardNext;
}

// abort() was called, by this rank or another: there is no point in going on.
struct CommunicationAborted : SentenceError<> {
    using SentenceError::SentenceError;
};

// No rank computes any more and one still waits: the program of some rank is wrong.
struct CommunicationHang : SentenceError<> {
    CommunicationHang(const Sentence& what, int peer_rank, double seconds)
        : SentenceError(what), peer(peer_rank), seconds_waited(seconds) {}
    int peer;  // -1: all ranks
    double seconds_waited;
};

class Communicator {
public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;

    // Memory for so many messages of that size at one time, before anything is timed. More may come.
    virtual void reserve(int /*peer*/, bool /*receives*/, std::size_t /*bytes*/, int /*count*/) {}
    // Takes the bytes over before it returns; never waits for the peer. sent_ns: sender's device clock.
    virtual void postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                          std::int64_t sent_ns) = 0;
    // `into` must stay until wait() has returned. Throws std::logic_error when the tag is already posted.
    virtual void postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) = 0;
    // True when wait() would return at once.
    virtual bool arrived(const MessageTag& tag) = 0;
    // Returns the sender's sent_ns when the data is in place. Throws CommunicationAborted, CommunicationHang,
    // and std::logic_error when the tag was not posted or the sizes differ.
    virtual std::int64_t wait(const MessageTag& tag) = 0;

    // Sum over all ranks, entry by entry, on every rank; waits for all of them. Exact, whatever the order of
    // arrival, when at most one rank contributes a non-zero to each entry. Throws as wait().
    virtual void allReduceSum(std::span<double> values) = 0;

    // For a rank that waits for something else: throws as wait() when there is no point in going on. Costs
    // little, and never waits.
    virtual void look() = 0;
    // The same between two operations, but only when a stop was requested: the failure of another rank is
    // reported by the rank that waits for it.
    virtual void checkForStop() { look(); }
    // From now on this rank completes what every rank has begun, or no longer: abort() ends its waits only
    // when no rank can send any more.
    virtual void complete(bool /*completes*/) {}
    // Makes every wait of every rank for what has not come throw CommunicationAborted(reason), now and from
    // now on.
    virtual void abort(const Sentence& reason) = 0;
};

}  // namespace bscope
