// What a rank's GPU did in an iteration as bytes, on its way to the first process.
#pragma once

#include "gpu/gpu_rank.h"
#include "mpi/clock_sync.h"
#include "mpi/packer.h"
#include "rank/note.h"

namespace bscope {

void pack(Packer& into, const std::vector<Note>& notes);
std::vector<Note> unpackNotes(Unpacker& from);

// Its times on the first process's clock.
void pack(Packer& into, const GpuTold& told, const ClockLine& clock);
GpuTold unpackTold(Unpacker& from);

}  // namespace bscope
