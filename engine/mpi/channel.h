// Channel: messages of bytes between the processes of one MPI communicator. Sends are buffered here; a wait
// polls, looks at what else goes on meanwhile, and gives up on a peer that stays silent for `patience`.
// Messages of one tag between two processes keep their order. MPI must run; one thread at a time.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/communicator.h"
#include "plan/rank_failure.h"

namespace bscope {

// Why a wait has no point any more.
struct Interruption {
    enum class Kind { Stopped, PeerFailed, PeerGone };
    Kind kind = Kind::Stopped;
    Sentence reason;
    int cause_rank = -1;  // PeerGone: which rank
};

// A wait that was broken off; what() says who waited for whom, in what and how long, and why it ended.
struct WaitBroken : CommunicationAborted, FailureDetail {
    WaitBroken(const Sentence& what, const Interruption& why, int peer_rank)
        : CommunicationAborted(what),
          FailureDetail{
              why.kind == Interruption::Kind::PeerGone ? FailureKind::PeerGone : FailureKind::Stopped,
              peer_rank,
              {},
              why.cause_rank} {}
};

// A peer was waited for too long.
struct PeerIsSilent : CommunicationHang, FailureDetail {
    PeerIsSilent(const Sentence& what, int peer_rank, double seconds)
        : CommunicationHang(what, peer_rank, seconds),
          FailureDetail{FailureKind::PeerSilent, peer_rank, {}, peer_rank} {}
};

class Channel {
public:
    using Look = std::function<std::optional<Interruption>()>;
    using Gone = std::function<std::optional<Interruption>()>;
    // Between two polls: nothing, a few microseconds, or a millisecond once nothing came for a while.
    enum class Pace { Spin, Wait, Idle };

    // Owns the communicator from here on. look is called in every wait, and may poll; gone, who has ended, in
    // the middle of a message too.
    Channel(MPI_Comm comm, std::chrono::milliseconds patience, Look look, Gone gone);
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm comm() const { return comm_; }

    // Never waits.
    void post(int peer, int tag, std::vector<char> message);
    // The next message if it is there. peer and tag may be MPI_ANY_SOURCE and MPI_ANY_TAG. Throws as
    // receive() when its sender ends or stops in the middle of it.
    struct Received {
        int peer, tag;
        std::vector<char> message;
    };
    std::optional<Received> poll(int peer, int tag);
    // what: for the sentence. at_least: how long the peer may take whatever its work was. Throws WaitBroken
    // and PeerIsSilent.
    Received receive(int peer, int tag, const Argument& what,
                     std::chrono::steady_clock::duration at_least = {}, Pace pace = Pace::Wait);
    // Until it is true. Throws as receive().
    void waitUntil(const std::function<bool()>& done, const Argument& what, int peer,
                   std::chrono::steady_clock::duration at_least = {}, Pace pace = Pace::Wait);
    // Looks once, as a wait does. Throws WaitBroken; with `only`, for nothing else.
    void glance(const Argument& what, int peer, std::optional<Interruption::Kind> only = std::nullopt);
    bool isDone(MPI_Request& request);

    // A buffer to fill and post, one that has served before if there is one.
    std::vector<char> takeBuffer(std::size_t bytes);
    // Until all sends are out. Throws as receive().
    void flush();
    // What is under way is left as it is: peers are gone, and MPI is not called any more. Any thread.
    void abandon() { abandoned_ = true; }
    // Between workBegins() and workEnds() this rank computes. A peer may compute 20 times as long before it
    // is called silent.
    void workBegins() { work_since_ = std::chrono::steady_clock::now(); }
    void workEnds();
    // From now on only the work of this iteration and of the one before count.
    void iterationBegins();

private:
    struct Send {
        std::vector<char> message;
        MPI_Request request;
    };
    void progressSends();

    MPI_Comm comm_;
    int rank_ = 0, size_ = 1;
    const std::chrono::milliseconds patience_;
    Look look_;
    Gone gone_;
    std::atomic<bool> abandoned_ = false;
    std::optional<std::chrono::steady_clock::time_point> work_since_;
    std::chrono::steady_clock::duration longest_work_{}, longest_before_{};
    std::deque<Send> sends_;
    std::vector<std::vector<char>> spare_;
};

// "rank 0 waited 0.3 s for rank 1 in 0RECV_B2: " and why that ended; peer -1: all ranks.
Sentence brokenWait(int rank, double waited_s, int peer, const Argument& what, const Sentence& why);

// Throws std::runtime_error with MPI's words.
void checkMpi(int result, const char* what);
// MPI counts in int. Throws std::length_error beyond 2 GB.
int countOf(std::size_t bytes);

}  // namespace bscope
