// replicaGrid: replicas of one pipeline that ran side by side, compared: medians by stage and replica, and
// what-if replays that tell a slow worker from a heavy stage and from unequal micro-batches. Method: J. Lin
// et al., "Understanding Stragglers in Large Model Training Using What-if Analysis", OSDI 2025, arXiv
// 2505.05713, and its code (ByteDance-Seed/StragglerAnalysis), for computation alone; docs/NUMBERS.md,
// "Replicas and stragglers". Pure functions.
#pragma once

#include <span>
#include <vector>

#include "schedule/program.h"
#include "report/replica_grid.h"
#include "timeline/timeline.h"

namespace bscope {

// One replica: its ranks from 0, in the order that it ran.
struct ReplicaRun {
    int number = 0;  // as --replica counts
    const Schedule* schedule = nullptr;
    Recompute recompute = Recompute::None;
    const Timeline* timeline = nullptr;
    std::vector<int> iterations;  // that count
};

// What the analysis calls a straggling run, and what it takes for the cause.
inline constexpr double kLeastSlowdown = 1.03, kLeastShare = 0.5, kLengthsCorrelation = 0.9;

// `shown` is an index of runs. All have the same stages on the same ranks, and as many micro-batches. Without
// an iteration that all of them ran, or with an order that cannot be played, there are no stragglers.
ReplicaGrid replicaGrid(std::span<const ReplicaRun> runs, int shown);

}  // namespace bscope
