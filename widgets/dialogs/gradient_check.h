// GradientCheck: what `bscope verify` found of a configuration. A plain value.
#pragma once

#include <QString>

#include "config/run_config.h"

namespace bscope::ui {

struct GradientCheck {
    RunConfig config;  // that was checked
    DeviceChoice device = DeviceChoice::Cpu;
    bool delayed_updates = false;  // asynchronous: weights and Adam's moments compared, not gradients
    bool bitwise_equal = false;
    bool within_tolerance = false;
    bool replicas_equal = true;     // all copies of the weights, in the end, bit by bit
    double tolerance = 0;           // of the tensor's largest value; 0: must be bitwise equal
    double largest_difference = 0;  // likewise
    QString tensor;                 // where that is
    int iteration = 0;              // and in which one, from 0
    int iterations = 0, tensors = 0;
};

}  // namespace bscope::ui
