// lowerCells: the one pass that places communication, shared by lower() and the PyTorch CSV writer. It is
// PyTorch's lowering (torch.distributed.pipelining, compute_only to compute_comms): round robin over the
// ranks, one ready cell of each rank a pass; a SEND goes right after its producer, the matching RECV to the
// present end of the receiver's list. Every rank's list is thereby a projection of one global order.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

// What one place of a lowered list holds. Unshard and Reshard fetch and drop the weights of a stage under
// FSDP: they exist only in PyTorch's files, but each takes one turn of the round robin and so shifts the
// receives.
struct Cell {
    enum class Kind : std::uint8_t { Action, Unshard, Reshard };
    Kind kind = Kind::Action;
    Action action;
};

// (p, ...). Throws std::invalid_argument naming the action each rank gets stuck at.
std::vector<std::vector<Cell>> lowerCells(const Schedule& schedule);

}  // namespace bscope
