// StragglerReplay: iterations of several replicas played again, with some operations at their recorded
// durations and the others at the mean duration of their kind.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "analysis/stragglers.h"
#include "timeline/predict_length.h"

namespace bscope {

class StragglerReplay {
public:
    // Of the iterations that all replicas ran the last ones, as many as `replays` replays of them take a few
    // seconds. Throws std::invalid_argument: an order that cannot be played, or one iteration takes longer.
    StragglerReplay(std::span<const ReplicaRun> runs, int replays);

    int iterations() const { return static_cast<int>(iterations_.size()); }
    int replicas() const { return static_cast<int>(programs_.size()); }
    int stages() const { return stages_; }
    int pieces() const { return pieces_; }  // of a replica: micro-batches, or segments of them
    int rank(int stage) const { return placement_[static_cast<std::size_t>(stage)]; }
    // What it took in the i-th iteration; 0: the kind does not occur.
    std::int64_t taken_ns(int i, int replica, int stage, Op op, int piece) const {
        return taken(i, replica).at(stage, op, piece);
    }

    using IsMeasured = std::function<bool(int replica, int stage)>;
    // Mean over iterations of the longest replica, ns: operations where isMeasured() says so take what they
    // took, others the mean of their kind over all replicas and stages.
    double mean_ns(const IsMeasured& isMeasured) const;
    // (replicas,) the same where the operations of one replica alone take what they took.
    std::vector<double> oneMeasured_ns() const;
    // The same where each takes the mean of its kind, stage and replica: micro-batches are equal.
    double equalMicrobatches_ns() const;
    // Of all replicas and iterations, ns.
    double stageMean_ns(int stage) const;
    // What it took, the stage's operations scaled to the mean of their kind: micro-batches differ as they
    // did.
    double evenStage_ns(int stage) const;

private:
    const SingleDurations& taken(int i, int replica) const {
        return taken_[static_cast<std::size_t>(i * replicas() + replica)];
    }
    // (iterations, replicas)
    template <class Duration>
    std::vector<std::int64_t> lengths(const Duration& duration) const;
    template <class Duration>
    double played(const Duration& duration) const;

    int stages_ = 0, pieces_ = 0;
    std::vector<int> placement_;
    std::vector<int> iterations_;
    std::vector<Program> programs_;       // (replicas,)
    std::vector<SingleDurations> taken_;  // (iterations, replicas)
    std::map<Op, std::int64_t> means_;    // by kind
};

}  // namespace bscope
