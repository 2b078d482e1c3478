// checkCommunication: everything that is wrong with what a compute_comms file says beside its computation:
// SEND, RECV, and the cells about weights (UNSHARD, RESHARD, REDUCE_GRAD). The rules are those of PyTorch's
// runtime (torch.distributed.pipelining): RECV posts a receive and does not wait, the action that needs the
// message waits; SEND hands over without waiting; the k-th SEND of one rank to another meets the k-th RECV.
#pragma once

#include <vector>

#include "schedule/formats/schedule_file.h"

namespace bscope {

// rows (p, ...) hold every cell that was understood, in order; the compute actions are file.schedule and must
// have no errors. Adds the errors to the file.
void checkCommunication(ScheduleFile& file, const std::vector<std::vector<FileCell>>& rows);

}  // namespace bscope
