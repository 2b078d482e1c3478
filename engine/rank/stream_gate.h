// StreamGate: between a rank of an endless stream and the owner that admits its iterations. A micro-batch
// enters the stream, with its samples, when it is admitted; ranks deliver the shares of finished iterations
// and go on without waiting for each other. An admission may reach the ranks at different times, and yet what
// each of them does follows from what was admitted in the end, never from timing: admissions only grow, and
// waitFor() returns once that is final. A rank asks has() of a micro-batch whose forward waitFor() has
// let in or turned away, where has() can say nothing else any more; or to post a receive as early as its
// sender may send, and otherwise it posts it before the forward. Calls of one rank from its thread.
#pragma once

#include "model/text_data.h"
#include "rank/rank_iteration.h"

namespace bscope {

// Micro-batches below `limit` may enter; what was admitted stays so. last: no more than those ever will.
struct Admission {
    int limit = 0;
    bool last = false;
    bool knows(int microbatch) const { return last || microbatch < limit; }
    // Of a stream of which that many micro-batches are done.
    bool isOver(int microbatches) const { return last && microbatches >= limit; }
    bool operator==(const Admission&) const = default;
};

class StreamGate {
public:
    virtual ~StreamGate() = default;

    // Whether that micro-batch is in the stream, as far as is known here.
    virtual bool has(int microbatch) = 0;
    // The same, once it is known for good. Throws CommunicationAborted when the stream was stopped.
    virtual bool waitFor(int microbatch) = 0;
    // Of a micro-batch in the stream, once; for ranks with an end of the chain.
    virtual Batch samples(int microbatch) = 0;
    // The share of the rank's next iteration.
    virtual void deliver(int rank, RankIteration share) = 0;
};

}  // namespace bscope
