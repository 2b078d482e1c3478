// OrderedSum: the sum of a tensor over some ranks, the same bits on every one: a reduce-scatter and an
// all-gather over a Communicator. Each adds up its slice, from zero in the order of the ranks, and gives the
// sum to the others, so that a rank holds no more than two copies at any number of ranks. In the rank's own
// thread.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plan/message_tags.h"
#include "rank/executor.h"

namespace bscope {

// The stages whose numbers are added up, each on another rank, as one of them sees it.
struct SumGroup {
    std::vector<int> stages;  // in the order of the sum
    int own = 0;              // its place among them
    MessageKind slices = MessageKind::Slice, sums = MessageKind::Sum;
    int microbatch = -1, segment = -1;
    int hops = 1;  // messages one after the other that a round takes on the modelled link
    std::size_t grain = kCacheLineFloats;  // a slice has a multiple of so many numbers, but for the last

    int size() const { return static_cast<int>(stages.size()); }
    int stageOf(int member) const { return stages[static_cast<std::size_t>(member)]; }
    MessageTag tag(MessageKind kind, int to, int from) const {
        return {kind, stageOf(to), microbatch, from, segment};
    }
};

class OrderedSum {
public:
    // The executor and its workplace must outlive it.
    OrderedSum(Executor& executor, Workplace& workplace) : executor_(executor), workplace_(workplace) {}

    // Memory for sums of up to that many floats; before any of them.
    void reserve(const SumGroup& group, std::size_t floats);

    // In this order, values being the rank's own numbers and then the sum: to every rank its slice of them,
    // added up, and to every rank all slices. ready_ns: since when what is sent has been there.
    struct Round {
        std::size_t sent_bytes = 0, received_bytes = 0;
        std::int64_t ready_ns = 0;  // when the last rank's was
    };
    Round scatter(const SumGroup& group, std::span<float> values, std::int64_t ready_ns);
    void add(const SumGroup& group, std::span<float> values);
    Round gather(const SumGroup& group, std::span<float> values, std::int64_t ready_ns);

    std::size_t bufferBytes() const { return slices_.bytes(); }

private:
    using Piece = std::function<std::span<float>(int member)>;  // to or from a member
    // Ends when all are there.
    Round exchange(const SumGroup& group, MessageKind kind, const Piece& sends, const Piece& receives,
                   std::int64_t ready_ns);
    std::span<float> received(int member, std::size_t floats) const;

    Executor& executor_;
    Workplace& workplace_;
    Buffer slices_;  // every rank's of the slice that is added up here
};

}  // namespace bscope
