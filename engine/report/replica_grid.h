// ReplicaGrid: replicas of one pipeline beside each other, what their stages take and what slows the whole
// down, as plain data. Definitions: docs/NUMBERS.md, "Replicas and stragglers".
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace bscope {

enum class StragglerKind : std::uint8_t {
    Worker,   // one rank of one replica
    Stage,    // the same stage in every replica
    Lengths,  // micro-batches whose work differs
};

// What of the slowdown goes away when some operations take what they take in the mean. More than 1: others
// then wait less as well.
struct StragglerShare {
    int replica = -1, index = -1;  // of a worker its replica and rank; of a stage the stage
    double share = 0;
};

struct Stragglers {
    int iterations = 0;  // that were played, the last ones
    // One iteration of all replicas, with the durations measured and with every operation at the mean of its
    // kind: messages free.
    double actual_ns = 0, ideal_ns = 0;
    int slowest_workers = 0;               // 3 % of them, one at least, share `worker`
    std::optional<StragglerShare> worker;  // the slowest one; absent: one replica, none to compare with
    StragglerShare stage;                  // the heaviest one
    double even_stage_share = 0;           // of it, where its micro-batches still differ as they did
    double last_stage_share = 0;
    double lengths_share = 0;
    // Of a micro-batch's forward with its backward, and of a rank with the other ranks of its replica; NaN:
    // nothing varies, or there is nothing to compare.
    double forward_backward_correlation = std::numeric_limits<double>::quiet_NaN();
    double rank_correlation = std::numeric_limits<double>::quiet_NaN();
    // (replicas, ranks) slowdown with the durations of its replica, or of its rank in every replica, alone;
    // the lesser of the two.
    std::vector<double> worker_slowdowns;
    std::vector<StragglerKind> causes;  // the one with the greatest share first

    double slowdown() const { return ideal_ns > 0 ? actual_ns / ideal_ns : 1; }
};

struct ReplicaCell {
    // Medians over micro-batches and iterations; of a split backward the sum of its halves.
    double forward_ns = 0, backward_ns = 0;
    // Both together over the median of those of the stage in the other replicas; NaN: there are none.
    double beside_peers = std::numeric_limits<double>::quiet_NaN();
    double sum_ns() const { return forward_ns + backward_ns; }
};

struct ReplicaGrid {
    int stages = 0, ranks = 0;             // of a replica
    int shown = 0;                         // whose iterations the run has, as an index of numbers
    std::vector<int> numbers;              // (replicas,) as --replica counts
    std::vector<ReplicaCell> cells;        // (replicas, stages)
    std::optional<Stragglers> stragglers;  // absent: the recorded order cannot be played

    int replicas() const { return static_cast<int>(numbers.size()); }
    const ReplicaCell& cell(int replica, int stage) const {
        return cells[static_cast<std::size_t>(replica) * static_cast<std::size_t>(stages) +
                     static_cast<std::size_t>(stage)];
    }
};

}  // namespace bscope
