// The pieces the plugin's table is put together from.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/plugin/plugin_abi.h"

namespace bscope::cuda {

// Hands an operation to its stream, whose GPU is the calling thread's current one. Throws.
#define BSCOPE_DECLARE_RUN(Name, name) void run(BscopeOps& ops, const Bscope##Name& op);
BSCOPE_OPERATIONS(BSCOPE_DECLARE_RUN)
#undef BSCOPE_DECLARE_RUN

void addMachine(BscopePlugin& plugin);
void addOps(BscopePlugin& plugin);
void addTracer(BscopePlugin& plugin);
void addRanges(BscopePlugin& plugin);
void addLinks(BscopePlugin& plugin);

// (rows, columns) with a leading dimension, to the precision of `to`, without gaps.
void launchRound(cudaStream_t stream, BscopeOperand to, const float* from, std::size_t rows,
                 std::size_t columns, std::size_t ld);
// What BiasBackward reserves.
std::size_t biasBackwardScratch(std::size_t rows, std::size_t columns);

}  // namespace bscope::cuda
