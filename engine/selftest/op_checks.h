// Every operation of kernels/operations.h on a device against the double-precision reference, with a
// tolerance each, and twice, bit by bit. One thread.
#pragma once

#include <string>
#include <vector>

#include "kernels/device.h"
#include "kernels/ops.h"

namespace bscope {

struct Check {
    std::string name;  // "attention_backward d=64"
    double error = 0;  // greatest difference, as a share of the reference's greatest number
    double tolerance = 0;
    bool same_bits = true;  // both runs
    std::string failure;    // what was thrown instead of a result
    std::string note = {};  // how it was checked, where that is not always the same
    bool passed() const { return failure.empty() && same_bits && error <= tolerance; }
};

struct OpCheckOptions {
    bool bf16 = false;  // the device computes products and attention in bf16
    // Attention's head sizes; a GPU has 32, 64 and 128.
    std::vector<std::size_t> head_sizes = {32, 64, 128};
};

// What an operation throws is part of its check.
std::vector<Check> checkOps(Device& device, Stream& stream, Ops& ops, const OpCheckOptions& options = {});

}  // namespace bscope
