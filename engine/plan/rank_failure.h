// RankFailure: why a rank stopped. Threads and processes make the same value of whatever was thrown; it
// crosses the wire between processes, and its sentences are made in this module alone (failure.h).
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "schedule/action.h"
#include "words/sentence.h"

namespace bscope {

// The kinds before PeerSilent are a rank's own; the others come of another rank's, and explain a run only
// where no rank has failed by itself.
enum class FailureKind : std::uint8_t {
    Error,          // whatever else: the cause says it
    OutOfMemory,    // of the host, or of a GPU
    GpuLost,        // nothing more can be done on the GPU in this process
    GpuStuck,       // an action was handed to the GPU and is never done
    LinkBroken,     // between two GPUs
    NothingToCome,  // every rank waits for another: the program contradicts itself
    PeerSilent,     // a rank was waited for too long
    PeerGone,       // the process of a rank has ended
    Stopped,        // by another rank, or by the caller of the iteration
};

struct RankFailure {
    FailureKind kind = FailureKind::Error;
    int rank = -1;       // -1: no rank in particular, the links between GPUs do not come up
    std::string action;  // "2F3"; empty before its first operation
    int peer = -1;       // which rank it waited for; -1: none in particular
    int cause_rank = -1;  // which rank the cause says is gone or does not answer; -1: none
    Sentence cause;      // without its full stop
};

// What an exception carries of a failure beside its sentence.
struct FailureDetail {
    FailureKind kind = FailureKind::Error;
    int peer = -1;
    std::string action;  // empty: what the rank was at
    int cause_rank = -1;
};

// "rank 3"; "all ranks" of -1.
Sentence rankName(int rank);

// Of what a rank has thrown while it was at that action; stage -1: at none yet.
RankFailure rankFailure(int rank, const Action& action, const std::exception_ptr& error);

// The one that explains the others: a rank's own failure, else the least kind; of several the lowest rank's.
// Not empty.
const RankFailure& firstCause(std::span<const RankFailure> failures);

}  // namespace bscope
