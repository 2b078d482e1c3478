// verify: trains the same model for a few iterations as one rank and as the pipeline, and compares the loss
// and every gradient, before clipping, bit by bit. The one rank takes the micro-batches in the order in which
// the pipeline's last stage does their backwards, since floating-point sums depend on their order.
#pragma once

#include <string>
#include <vector>

#include "schedule/run_config.h"

namespace bscope {

struct VerifyResult {
    std::string schedule;
    ScheduleParams params;
    Recompute recompute = Recompute::None;
    bool bitwise_equal = false;     // loss and every gradient of every iteration
    bool within_tolerance = false;  // bitwise, or largest_difference <= tolerance
    double tolerance = 0;           // 0: must be bitwise equal; else relative to the tensor's largest value
    double largest_difference = 0;  // relative to the tensor's largest value
    std::string tensor;             // where; "loss" too; empty when all are equal
    int iteration = 0;              // where
    std::vector<double> loss;       // of the pipeline, by iteration
    int tensors = 0;                // compared in each iteration
};

// Throws ConfigError (the config is illegal, or only runs forward) and RunFailure. Runs on the reconstructed
// clock.
VerifyResult verify(const RunConfig& config, int iterations = 3);

}  // namespace bscope
