// Worker: one rank of a training: its stages, its part of the sums of gradients, and the steps of its
// weights, in one loop over actions. What every workload needs of a rank is its Executor's. Everything but
// the constructor and the results is called in the rank's own thread.
#pragma once

#include <vector>

#include "clock/blocked_signals.h"
#include "plan/plan.h"
#include "rank/executor.h"
#include "rank/flow.h"
#include "rank/ordered_sum.h"
#include "rank/rank_iteration.h"
#include "rank/rank_stages.h"
#include "rank/shard_collectives.h"
#include "rank/stream_gate.h"

namespace bscope {

struct AdamWStep;

// Where an endless stream begins.
struct StreamStart {
    int iteration = 0;
    int version = 0;  // of the weights
};

class Worker {
public:
    // All references must outlive the worker; models as RankStages takes them.
    Worker(const Plan& plan, int rank, const std::vector<Model*>& models, Clock& clock,
           Communicator& communicator, Recorder& recorder);

    // Kernels compiled, memory touched; no number of the training changes.
    void warmUp(const BatchView& one_microbatch);
    // One iteration of the program. AdamWStep's gradient_scale is found here. Throws what goes wrong;
    // action() then says where.
    void run(const BatchView& batch, int iteration, const AdamWStep& step, double clip_norm);
    // The rank's shares of one iteration after the other, until the gate says that the stream has ended.
    void runStream(StreamGate& gate, const StreamStart& start);
    // What was done since the last call; after run().
    RankIteration takeShare();

    // Of the last iteration.
    const Action& action() const { return executor_.action(); }
    // Its weights are being stepped, and no other rank is waited for any more.
    bool stepBegun() const { return executor_.isCommitted(); }

    const RankStages& stages() const { return stages_; }
    RankStages& stages() { return stages_; }
    std::size_t bufferBytes() const;

private:
    // The rank's thread computes: it runs no signal handlers, and in the end it gives way.
    class AtWork {
    public:
        AtWork(Clock& clock, int rank) : clock_(clock), rank_(rank) {}
        ~AtWork() { clock_.giveWay(rank_); }
        AtWork(const AtWork&) = delete;
        AtWork& operator=(const AtWork&) = delete;

    private:
        const BlockedSignals held_;
        Clock& clock_;
        const int rank_;
    };
    class Flush;
    class Stream;

    // The one loop. False when the flow was over before.
    bool run(const std::vector<Action>& actions, Flow& flow);
    SumGroup copiesOf(int stage) const;
    void reserveSums();
    void reduceGradients(const Action& action);
    void gatherWeights(const Action& action);
    void recordOfCopies(const Action& action, const OpTime& copying, std::int64_t ready_ns, OpTime last,
                        std::size_t received_bytes);
    void addUpSummands();
    void addOutcome(int first);

    const Plan& plan_;
    const Schedule& schedule_;
    const int rank_;
    Clock& clock_;
    RankStages stages_;
    Executor executor_;
    OrderedSum gradient_sum_;
    Buffer summands_;  // of gradient_sum_: all gradients, or weights, of a stage
    ShardCollectives shards_;
    std::int64_t held_ns_ = 0;      // of the iteration
    std::vector<double> exchange_;  // squares by chain and tensor, then a device clock a rank
    RankIteration share_;
};

}  // namespace bscope
