// ProcessGroup: what all pipelines of a run that is spread over processes share: the channel for commands,
// where the processes are, and their clocks. A value with one owner.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "mpi/channel.h"
#include "mpi/clock_sync.h"
#include "mpi/heartbeat.h"
#include "mpi/own_gpu.h"
#include "mpi/topology.h"

namespace bscope {

struct ProcessGroup {
    HostTime own;                          // this process's clock
    std::vector<ProcessPlace> places;      // (processes,)
    std::unique_ptr<Channel> channel;      // of commands and replies, all processes
    std::unique_ptr<ClockSync> clocks;     // the first process's
    std::unique_ptr<OwnGpu> gpu;           // this process's
    std::unique_ptr<Heartbeat> heartbeat;  // null: only who ends on this machine is noticed
    int pipelines = 0;                     // ever made
    std::atomic<bool> lost = false;        // a process is gone for good
    Channel::Look look;                    // in every wait on the channel; empty = nothing to look at

    int size() const { return static_cast<int>(places.size()); }
    Life lifeOf(int rank) const;
    // The first process that has ended or is silent, or -1.
    int firstGone() const;
    // "rank 1 (process 4711 on node2) is gone", "... sends no heartbeat"
    Sentence fateOf(int rank) const;
    std::optional<Interruption> whoIsGone() const;
    Sentence nameOf(int rank) const;  // "rank 1 (process 4711 on node2)"
};

// Starts nothing: MPI runs. All processes together; afterwards each has the places of all.
void meet(ProcessGroup& group, HostTime own);

}  // namespace bscope
