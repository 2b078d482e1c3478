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

// What rank r of p does with the entry of a table, on its chunk, or backward on the mirrored one of v.
inline Action forwardOf(const VirtualMicrobatch& entry, int p, int r) {
    return {entry.chunk * p + r, Op::Forward, entry.microbatch};
}
inline Action backwardOf(const VirtualMicrobatch& entry, Op op, int p, int v, int r) {
    return {(v - 1 - entry.chunk) * p + r, op, entry.microbatch};
}

// (m * v,) for g = 0, N, 2N, ...: for each chunk: micro-batches g .. min(g + N, m) - 1.
std::vector<VirtualMicrobatch> virtualMicrobatches(int v, int m, int group_size);

// Megatron-LM's group size, microbatch_group_size_per_vp_stage: p unless one is given.
int givenGroupSize(const ScheduleParams& params);
// PyTorch's group size: m in max(1, m div p) equal rounds; roundProblems() requires equal rounds.
int roundGroupSize(const ScheduleParams& params);

}  // namespace bscope
