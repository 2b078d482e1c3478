// LocalGate: the gate of an endless stream in the process that admits iterations; ranks that are
// threads of the same process pass through it. One thread admits; ranks, admission() and stop() from any.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "rank/stream_gate.h"

namespace bscope {

class LocalGate final : public StreamGate {
public:
    // The samples of a micro-batch; any thread.
    using Samples = std::function<Batch(int microbatch)>;
    // microbatches: of an iteration.
    LocalGate(int microbatches, int ranks, Samples samples);

    // For the admitting thread. Without effect once no more than what was admitted ever will be.
    void admit(const Admission& admission);
    // The next share of every rank, once all have delivered it; empty when the stream was stopped.
    std::vector<RankIteration> await();
    int awaited() const { return awaited_; }  // iterations
    // All iterations that will ever be were awaited.
    bool isOver() const { return admission().isOver(awaited_ * microbatches_); }

    // Ends every wait here.
    void stop();
    Admission admission() const;

    bool has(int microbatch) override;
    bool waitFor(int microbatch) override;
    Batch samples(int microbatch) override { return samples_(microbatch); }
    void deliver(int rank, RankIteration share) override;

private:
    const int microbatches_;
    const Samples samples_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Admission admission_;
    bool stopped_ = false;
    std::vector<std::deque<RankIteration>> delivered_;  // (p,)
    int awaited_ = 0;
};

}  // namespace bscope
