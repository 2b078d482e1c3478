// What a rank's GPU did in an iteration as bytes, on its way to the first process.
#pragma once

#include "mpi/clock_sync.h"
#include "mpi/packer.h"
#include "rank/gpu_samples.h"
#include "rank/launched_operation.h"

namespace bscope {

void pack(Packer& into, const std::vector<LaunchedOperation>& notes);
std::vector<LaunchedOperation> unpackLaunchedOperations(Unpacker& from);

// Its times on the first process's clock.
void pack(Packer& into, const GpuSamples& samples, const ClockLine& clock);
GpuSamples unpackSamples(Unpacker& from);

}  // namespace bscope
