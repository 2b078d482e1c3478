// LocalCommunicator: ranks that are threads of one process. LocalHub holds the mailboxes of all of them and
// watches over them: when every rank waits or has left, nothing can come any more, and after `patience` the
// hang is thrown as a CommunicationHang at the rank that causes it, all others are aborted. A rank that
// computes, however long, is never mistaken for a hang. The hub may be used from any thread; it must outlive
// its communicators.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/communicator.h"
#include "kernels/device.h"

namespace bscope {

class LocalHub {
public:
    // Memory is the device's. copy brings a message from one place to another; by default the device does,
    // and it is there when the call returns.
    using Copy = std::function<void(void* to, const void* from, std::size_t bytes)>;
    LocalHub(Device& device, int ranks, std::chrono::milliseconds patience = std::chrono::seconds(2),
             Copy copy = nullptr);

    std::unique_ptr<Communicator> communicator(int rank);

    // A rank takes part between enter() and leave(). All ranks enter before the first of them starts to work.
    void enter(int rank);
    void leave(int rank);
    void abort(const Sentence& reason);

private:
    friend class LocalCommunicator;
    using Lock = std::unique_lock<std::mutex>;
    using Moment = std::chrono::steady_clock::time_point;

    // A message on its way, or a receive that waits for one, or both met.
    struct Delivery {
        bool posted = false, sent = false;
        int peer = -1;
        void* into = nullptr;
        std::size_t bytes = 0;
        Buffer data;  // sent before the receive was posted
        std::int64_t sent_ns = 0;
    };
    enum class Activity { Away, Computing, Waiting };
    struct RankState {
        std::map<MessageTag, Delivery> mailbox;
        std::condition_variable woken;
        Activity activity = Activity::Away;
        std::optional<MessageTag> waits_for;  // nullopt: the norm of the optimizer step
        int peer = -1;
        Moment since;
        bool completes = false;  // Communicator::complete()
    };

    void send(int to, const MessageTag& tag, const void* data, std::size_t bytes, std::int64_t sent_ns);
    static bool mustBeWoken(RankState& rank);
    template <typename Done>
    void waitUntil(Lock& lock, int rank, std::optional<MessageTag> what, int peer, Done done);
    void throwIfAborted(int rank) const;
    bool everybodyWaits() const;
    int rankAtFault() const;
    Sentence whoWaits() const;
    void abortLocked(const Sentence& reason);
    RankState& state(int rank) { return *ranks_[static_cast<std::size_t>(rank)]; }
    Buffer takeBuffer(std::size_t bytes);

    Device* device_;
    std::chrono::milliseconds patience_;
    Copy copy_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<RankState>> ranks_;
    std::vector<Buffer> spare_;  // of messages that were delivered, for the next ones
    std::vector<double> sum_;    // of the reduction going on
    std::vector<double> total_;  // of the last one
    int arrived_ = 0;
    std::uint64_t reductions_ = 0;
    bool aborted_ = false;
    Sentence reason_;
    int hung_rank_ = -1;  // gets CommunicationHang instead of CommunicationAborted
};

}  // namespace bscope
