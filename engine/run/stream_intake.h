// StreamIntake: how far an endless stream may run, decided by nothing but the requested iterations: so the
// numbers are the same on every clock and whatever runs the ranks. One thread.
#pragma once

#include "catalog/endless_stream.h"
#include "rank/stream_gate.h"

namespace bscope {

class StreamIntake {
public:
    // The stream must outlive this.
    explicit StreamIntake(const EndlessStream& stream) : stream_(stream) {}

    // Micro-batches enter for the next iteration and those that begin meanwhile, and no more than for
    // more_to_come iterations after the next.
    Admission forNext(int more_to_come);
    // Nothing more enters; unless that was so already, the iteration that the last admitted micro-batch
    // belongs to is completed.
    Admission forNoMore();

    void iterationIsDone() { ++done_; }
    int done() const { return done_; }  // iterations
    bool isOver() const { return admission_.isOver(done_ * stream_.microbatches()); }

private:
    Admission grow(const Admission& admission);

    const EndlessStream& stream_;
    Admission admission_;
    int done_ = 0;
};

// Iterations that will have begun when one is done and more are to come.
int iterationsAhead(const EndlessStream& stream);

}  // namespace bscope
