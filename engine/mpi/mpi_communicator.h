// MpiCommunicator: ranks that are processes, on one machine or several; for tensors in host memory. Receives
// are posted to MPI early, so that data can come in while the rank computes. Nothing here is one of
// MPI's collective operations: whatever was sent can be received and dropped, so an iteration that was broken
// off leaves no trace. All calls from one thread.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "kernels/communicator.h"
#include "mpi/channel.h"

namespace bscope {

class MpiCommunicator final : public Communicator {
public:
    // The communicator of the pipeline's ranks, owned from here on.
    MpiCommunicator(MPI_Comm comm, std::chrono::milliseconds patience, Channel::Look look,
                    Channel::Gone gone);

    int rank() const override { return channel_.rank(); }
    int size() const override { return channel_.size(); }
    void postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                  std::int64_t sent_ns) override;
    void postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) override;
    bool arrived(const MessageTag& tag) override;
    std::int64_t wait(const MessageTag& tag) override;
    // Rank 0 adds, in the order of the ranks, and has the result first: when it has not, no rank has.
    void allReduceSum(std::span<double> values) override;
    // A wait ends when the channel's look says so.
    void look() override { channel_.glance(modelled_, -1); }
    void checkForStop() override { channel_.glance(modelled_, -1, Interruption::Kind::Stopped); }
    void abort(const Sentence&) override {}

    // Work that comes before begin().
    void warmUpBegins() { channel_.workBegins(); }
    // An iteration of a stream begins.
    void iterationBegins() { channel_.iterationBegins(); }
    // `waiting` waits for nothing but the process that admits iterations.
    template <typename Waiting>
    void rest(Waiting waiting) {
        channel_.workEnds();
        waiting();
        channel_.workBegins();
    }
    // Everybody is here and begins; every rank gets what rank 0's call of `moment` gives. at_least: how long
    // the others may take. Throws as wait().
    std::int64_t begin(const std::function<std::int64_t()>& moment,
                       std::chrono::steady_clock::duration at_least);
    // To all others, beside everything else: takeNews() returns what has arrived so far.
    void sendNews(const std::vector<char>& message);
    std::vector<std::vector<char>> takeNews();
    // All ranks together, between iterations: what was sent and never waited for is received and dropped.
    // Throws as wait().
    void settle();
    void abandon() { channel_.abandon(); }

private:
    const Sentence modelled_ = sentence("the time of an operation or a link");
    struct Receive {
        int peer;
        void* into;
        std::vector<char> message;
        MPI_Request request;
    };
    Channel channel_;
    std::map<MessageTag, Receive> receives_;
};

}  // namespace bscope
