// Heartbeat: which processes are alive, on any machine and whatever they are doing. A thread of every process
// sends a heartbeat twice a second: the first process to all others, these to the first. A process without a
// heartbeat for some seconds has ended, was stopped or is disconnected. The end of a process is noticed at
// once by the others of its machine, which report it to the first process. MPI must run with
// MPI_THREAD_MULTIPLE.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "mpi/channel.h"
#include "mpi/patience.h"
#include "mpi/topology.h"

namespace bscope {

enum class Life : std::uint8_t { Here, Ended, Silent };

class Heartbeat {
public:
    // Owns the communicator, of all processes; all of them together. (processes,) places, looked around.
    Heartbeat(MPI_Comm comm, std::vector<ProcessPlace> places);
    // All processes together, unless it was abandoned.
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    // What is known in the first process of all, any other one of the first and of those of its own machine.
    // Any thread.
    Life of(int rank) const { return lives_[static_cast<std::size_t>(rank)]; }
    // Processes are gone, and are not waited for. Any thread.
    void abandon();

private:
    void live();
    void part();
    void beat(bool is_last);
    void takeBeats();
    bool lookAround();
    void judge();
    bool rest(SteadyClock::duration how_long);
    void lose(int rank, Life how) { lives_[static_cast<std::size_t>(rank)] = how; }

    Channel channel_;
    const std::vector<ProcessPlace> places_;
    std::vector<int> peers_;
    std::vector<SteadyClock::time_point> heard_;  // (processes,) the thread's, as all without a lock
    std::vector<bool> has_parted_;                // (processes,)
    std::vector<int> ended_here_;                 // ranks
    std::vector<std::atomic<Life>> lives_;        // (processes,)

    std::mutex mutex_;
    std::condition_variable ends_;
    bool ending_ = false, abandoned_ = false;
    std::thread thread_;  // last: it uses all of them
};

}  // namespace bscope
