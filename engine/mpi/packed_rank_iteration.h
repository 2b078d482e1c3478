// A rank's share of an iteration as bytes, on its way to the first process.
#pragma once

#include "mpi/packer.h"
#include "rank/rank_iteration.h"

namespace bscope {

void pack(Packer& into, const RankIteration& share);
RankIteration unpackShare(Unpacker& from);

}  // namespace bscope
