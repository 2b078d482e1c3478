// verify: trains the same model for a few iterations as one rank and as the pipeline, and compares bit by
// bit: the loss and every gradient, before clipping; of an asynchronous schedule the loss of every iteration
// and in the end weights and optimizer state, with one rank that applies the same delayed updates. The one
// rank takes the micro-batches in the order in which the pipeline's last stage does their backwards, since
// floating-point sums depend on their order. Shards add up other partial sums than one rank, and agree with
// it within a tolerance; so they are compared with one stage of as many shards, too, bit by bit; and a
// pipeline under ZeRO with the same one without it, weights and optimizer state included.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/run_config.h"

namespace bscope {

struct VerifyResult {
    std::string schedule;
    ScheduleParams params;
    bool sequence_parallel = false;
    Recompute recompute = Recompute::None;
    CheckpointEvery checkpoint_every = CheckpointEvery::Stage;
    bool delayed_updates = false;   // asynchronous: weights and optimizer state compared, not gradients
    bool bitwise_equal = false;     // everything compared
    // Shards or segments, one copy of the weights and a flush: the same, with p = 1 and as many of them.
    std::optional<bool> bitwise_at_same_cut;
    // ZeRO: the same pipeline without it.
    std::optional<bool> bitwise_without_zero;
    bool within_tolerance = false;  // bitwise, or largest_difference <= tolerance
    double tolerance = 0;           // 0: must be bitwise equal; else relative to the tensor's largest value
    double largest_difference = 0;  // relative to the tensor's largest value
    std::string tensor;             // where; "loss" too; empty when all are equal
    int iteration = 0;              // where
    std::vector<double> loss;       // of the pipeline, by iteration
    int tensors = 0;                // compared in each iteration
    DeviceChoice device = DeviceChoice::Cpu;  // what both computed on
    bool replicas_equal = true;               // replicas: all copies of the weights, in the end, bit by bit
};

// Called before the first training iteration and after each, of the pipeline or of the one rank: how many of
// how many are done.
using VerifyProgress = std::function<void(int done, int total)>;

// Throws ConfigError (the config is illegal, or only runs forward) and RunFailure. Runs on the reconstructed
// clock.
VerifyResult verify(const RunConfig& config, int iterations = 3, const VerifyProgress& progress = {});

}  // namespace bscope
