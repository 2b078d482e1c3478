// MpiCommunicator: ranks that are processes, on one machine or several, over MPI point to point; for tensors
// in host memory. Sends are buffered here, receives are posted when asked for, and whoever waits polls both
// with short sleeps, so that more ranks than cores do not starve each other. A peer that stays silent for
// `patience` becomes a CommunicationHang. MPI must have been started, with funneled threads at least; all
// calls from the thread that did, abort() from any.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "kernels/communicator.h"

namespace bscope {

class MpiCommunicator final : public Communicator {
public:
    explicit MpiCommunicator(std::chrono::milliseconds patience);
    MpiCommunicator(const MpiCommunicator&) = delete;
    MpiCommunicator& operator=(const MpiCommunicator&) = delete;
    ~MpiCommunicator() override;

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                  std::int64_t sent_ns) override;
    void postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) override;
    bool arrived(const MessageTag& tag) override;
    std::int64_t wait(const MessageTag& tag) override;
    void allReduceSum(std::span<double> values) override;
    void abort(const std::string& reason) override;

    // Everybody is here; at_least: how long the others may take whatever their work was. Throws as wait().
    void barrier(std::chrono::steady_clock::duration at_least = {});
    // (size,) what each rank gave, on rank 0; empty elsewhere. Throws as wait().
    std::vector<std::vector<char>> gather(const std::vector<char>& mine);
    // Rank 0's value. Throws as wait().
    std::int64_t fromFirst(std::int64_t value);

private:
    struct Receive {
        int peer;
        void* into;
        std::vector<char> message;
        MPI_Request request;
    };
    struct Send {
        std::vector<char> message;
        MPI_Request request;
    };
    void finish(MPI_Request& request, const std::string& what, int peer,
                std::chrono::steady_clock::duration at_least = {});
    void progressSends();

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    const std::chrono::milliseconds patience_;
    std::chrono::steady_clock::time_point last_call_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::duration longest_work_{};  // between two waits
    std::map<MessageTag, Receive> receives_;
    std::deque<Send> sends_;
    std::vector<std::vector<char>> spare_;
    std::atomic<bool> aborted_ = false;
    std::mutex mutex_;  // of the reason
    std::string reason_;
};

}  // namespace bscope
