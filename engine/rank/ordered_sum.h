// OrderedSum: the sum of a tensor over the copies of a stage, the same bits on every rank: a reduce-scatter
// and an all-gather over a Communicator. Each copy adds up its slice, from zero in the order of the replicas,
// and gives the sum to the others, so that a rank holds no more than two copies at any number of replicas. In
// the rank's own thread.
#pragma once

#include <functional>
#include <span>

#include "rank/executor.h"

namespace bscope {

class OrderedSum {
public:
    // The executor and its workplace must outlive it.
    OrderedSum(Executor& executor, Workplace& workplace, const Schedule& schedule)
        : executor_(executor), workplace_(workplace), schedule_(schedule) {}

    // Memory for the sums of a stage's copies, of that many floats; before any of them.
    void reserve(int stage, std::size_t floats);
    // Memory of the largest of them, for the summands. (floats,)
    float* summands() const { return summands_.as<float>(); }

    struct Outcome {
        std::size_t received_bytes = 0;
        std::int64_t adding_ns = 0;  // as timed
    };
    // summands() become the sum on every copy of the action's stage. ready_ns: since when they have been
    // there.
    Outcome run(const Action& action, std::size_t floats, std::int64_t ready_ns);

    std::size_t bufferBytes() const { return summands_.bytes() + slices_.bytes(); }

private:
    // What one round carries to or from the copy in a replica.
    struct Round {
        MessageKind kind;  // Slice or Sum
        std::function<std::span<float>(int replica)> sends, receives;
        std::int64_t ready_ns;  // since when what is sent has been there
    };
    // Returns the bytes received, when all are there.
    std::size_t exchange(const Action& action, const Round& round);
    std::vector<int> othersOf(int stage) const;

    Executor& executor_;
    Workplace& workplace_;
    const Schedule& schedule_;
    Buffer summands_, slices_;  // all of this copy's; every copy's of the slice that is added up here
};

}  // namespace bscope
