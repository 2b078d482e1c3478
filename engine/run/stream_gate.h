// StreamGate: between the ranks of an endless stream and the one who asks for its iterations. A micro-batch
// enters the stream when it is admitted; ranks deliver the shares of finished iterations and go on without
// waiting for each other. How far the stream runs depends only on what was admitted, never on timing. Any
// thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "run/share.h"

namespace bscope {

class StreamGate {
public:
    explicit StreamGate(int ranks) : delivered_(static_cast<std::size_t>(ranks)) {}

    // Micro-batches below `limit` may enter; what was admitted stays so.
    void admit(int limit);
    // No more than those ever will.
    void end();
    int admitted() const;
    bool hasEnded() const;
    // Everybody who waits here goes home.
    void stop();

    // The next share of every rank, once all have delivered it; empty when the stream was stopped.
    std::vector<Share> await();

    // For the ranks. Whether that micro-batch is in the stream, at present, or once that is known; false when
    // the stream has ended before it. Throws CommunicationAborted when it was stopped.
    bool has(int microbatch) const;
    bool waitFor(int microbatch);
    void deliver(int rank, Share share);

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int limit_ = 0;
    bool ended_ = false, stopped_ = false;
    std::vector<std::deque<Share>> delivered_;  // (p,)
};

}  // namespace bscope
