// A rank's share of an iteration as bytes, on its way to the first process.
#pragma once

#include "mpi/packer.h"
#include "rank/share.h"

namespace bscope {

void pack(Packer& into, const Share& share);
Share unpackShare(Unpacker& from);

}  // namespace bscope
