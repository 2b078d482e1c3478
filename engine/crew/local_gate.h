// LocalGate: the gate of an endless stream where the one who asks for iterations lives; ranks that are
// threads of the same process pass through it. It decides how far the stream may run, by nothing but what was
// asked for. One thread asks; ranks and stop() from any.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "rank/stream_gate.h"
#include "schedule/endless_stream.h"

namespace bscope {

class LocalGate final : public StreamGate {
public:
    // The samples of a micro-batch; any thread.
    using Samples = std::function<Batch(int microbatch)>;
    // The stream must outlive the gate.
    LocalGate(const EndlessStream& stream, int ranks, Samples samples);

    // For the one who asks. Micro-batches enter for the next iteration and those that begin meanwhile, and no
    // more than for more_to_come iterations after the next.
    void admitFor(int more_to_come);
    // Nothing more enters; unless that was so already, the iteration that the last admitted micro-batch
    // belongs to is completed.
    void end();
    // The next share of every rank, once all have delivered it; empty when the stream was stopped.
    std::vector<Share> await();
    int awaited() const { return awaited_; }  // iterations
    // All iterations that will ever be were awaited.
    bool isOver() const;

    // Everybody who waits here goes home.
    void stop();
    Admission admission() const;

    bool has(int microbatch) override;
    bool waitFor(int microbatch) override;
    Batch samples(int microbatch) override { return samples_(microbatch); }
    void deliver(int rank, Share share) override;

private:
    void admit(const Admission& admission);

    const EndlessStream& stream_;
    const Samples samples_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Admission admission_;
    bool stopped_ = false;
    std::vector<std::deque<Share>> delivered_;  // (p,)
    int awaited_ = 0;
};

// Iterations that will have begun when one is awaited and more are to come.
int iterationsAhead(const EndlessStream& stream);

}  // namespace bscope
