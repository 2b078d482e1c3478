// The links between the GPUs of this machine: a communicator over all of them, split into pairs of
// neighbours, and what each half of a pair sends the other at the same time. One GPU alone sends to itself.
// One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/plugin/plugin.h"
#include "selftest/op_checks.h"

namespace bscope {

// Why nothing can be checked where nothing is needed: one GPU, and no NCCL.
std::optional<std::string> whyNoLinks(const CudaPlugin& plugin);

// The error of a pair is the share of numbers that arrived wrong.
std::vector<Check> checkLinks(const std::shared_ptr<const CudaPlugin>& plugin);

}  // namespace bscope
