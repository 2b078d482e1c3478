// EndlessStream: an asynchronous schedule as it runs: without end and without a flush. Each rank's share of
// an iteration is what it does from its last optimizer step of the iteration before to its own last one: m
// backwards of the iteration's micro-batches, and forwards of micro-batches that are p-1-r ahead of them.
// Micro-batches count from the start of the stream. The shares are cut out of a finite piece of the stream
// that was lowered as a whole, so that receives stand where the sender placed them. Immutable.
#pragma once

#include <vector>

#include "schedule/program.h"

namespace bscope {

class EndlessStream {
public:
    // A schedule with step_every > 0; m micro-batches an iteration.
    EndlessStream(const Schedule& schedule, int m, Recompute recompute);

    // Of one iteration.
    int microbatches() const { return m_; }
    int steps() const { return steps_; }
    // Micro-batches that the first rank forwards before its first backward.
    int warmUp() const;

    // What a rank does in an iteration when the stream goes on for ever.
    std::vector<Action> share(int rank, int iteration) const;

    // The finite piece, filled at its start and drained at its end; steadyIteration() of it is like all that
    // follow it in the endless stream.
    const Program& piece() const { return piece_; }
    int steadyIteration() const { return steady_; }

private:
    int m_ = 0, steps_ = 0, steady_ = 0;
    Program piece_;
    std::vector<std::vector<std::size_t>> cuts_;  // (p, iterations + 1) first action of each share
};

}  // namespace bscope
