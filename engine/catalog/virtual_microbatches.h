// The table that interleaved schedules walk: one entry for each forward of a rank, in order (Megatron-LM,
// arXiv:2104.04473). Backward k is the same micro-batch as forward k on the mirrored chunk.
#pragma once

#include <vector>

#include "schedule/schedule.h"

namespace bscope {

struct VirtualMicrobatch {
    int chunk = 0;       // 0..v-1; stage = chunk * p + rank
    int microbatch = 0;  // 0..m-1
};

// (m * v,) for g = 0, N, 2N, ...: for each chunk: micro-batches g .. min(g + N, m) - 1.
std::vector<VirtualMicrobatch> virtualMicrobatches(int v, int m, int group_size);

// PyTorch's group size: m in max(1, m div p) equal rounds; roundProblems() requires equal rounds.
int roundGroupSize(const ScheduleParams& params);

}  // namespace bscope
