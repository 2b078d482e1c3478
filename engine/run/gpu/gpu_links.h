// GpuLinks: the messages between p GPUs of this process. Each ordered pair of ranks that talk has a link of
// its own, on a stream of its own at either end, so that no message waits for one of another direction. The
// host waits for nothing: GpuCommunicator hands messages over, and streams wait for each other. A message is
// copied into the link's memory before it travels and out of it after, in the order of the rank's own stream;
// so whoever computes may use its buffers again at once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "kernels/communicator.h"
#include "kernels/plugin/cuda_device.h"
#include "kernels/plugin/gpu_event.h"
#include "run/gpu/gpu_trace.h"
#include "run/gpu/gpu_watch.h"
#include "run/plan.h"

namespace bscope {

using RankPair = std::pair<int, int>;  // sender, receiver

// Every pair of ranks of which one has something to send to the other.
std::set<RankPair> talkingPairs(const Schedule& schedule);

// One end of the link from one rank to another.
class GpuLinkEnd {
public:
    // Meets the other end: waits for it. Throws DeviceError.
    GpuLinkEnd(const BscopePlugin& api, Device& device, const BscopeUniqueId& id, bool receives);
    GpuLinkEnd(const GpuLinkEnd&) = delete;
    GpuLinkEnd& operator=(const GpuLinkEnd&) = delete;
    ~GpuLinkEnd();

    // The first message makes the connection, before anything is timed. What watch throws ends the wait.
    void connect(std::function<void()> watch);

    // Memory for one message, and when the link (out) or the rank (in) was done with it last.
    struct Staged {
        Buffer memory;
        GpuEvent ready, free;
    };
    // Out: one that the link is done with. In: any that the rank has nothing more to hand over for.
    Staged take(std::size_t bytes);
    void giveBack(Staged staged) { spare_.push_back(std::move(staged)); }
    std::size_t bytes() const { return bytes_; }

    void exchange(void* data, std::size_t bytes);
    const TracedStream& stream() const { return traced_; }
    void throwIfBroken() const { check(api_.link_state(link_)); }
    void abort() noexcept { api_.link_abort(link_); }

private:
    const BscopePlugin& api_;
    Device& device_;
    const bool receives_;
    std::unique_ptr<Stream> stream_;
    TracedStream traced_;
    BscopeLink* link_ = nullptr;
    std::vector<Staged> spare_;
    std::size_t bytes_ = 0;
};

// All links of a pipeline. open() in each rank's thread, all at the same time; abort() from any.
class GpuLinks {
public:
    GpuLinks(const BscopePlugin& api, const Plan& plan);

    void open(int rank, Device& device, GpuTrace& trace);
    void abort(const std::string& reason);
    // Of open() and of what follows: throws CommunicationAborted.
    void throwIfAborted();
    GpuLinkEnd& out(int rank, int peer) { return *ends_.at({{rank, peer}, false}); }
    GpuLinkEnd& in(int rank, int peer) { return *ends_.at({{peer, rank}, true}); }
    void throwIfBroken(int rank) const;
    std::size_t bytes(int rank) const;

private:
    const BscopePlugin& api_;
    std::map<RankPair, BscopeUniqueId> ids_;
    mutable std::mutex mutex_;
    std::map<std::pair<RankPair, bool>, std::unique_ptr<GpuLinkEnd>> ends_;  // true: the receiver's
    std::optional<std::string> aborted_;
};

// A rank's messages over GpuLinks; sums of host numbers and the meeting of ranks are the host's, a
// communicator between its threads.
class GpuCommunicator final : public Communicator {
public:
    // Everything must outlive this; ops on the rank's compute stream.
    GpuCommunicator(GpuLinks& links, GpuTrace& trace, GpuWatch& watch, const Plan& plan,
                    std::unique_ptr<Communicator> host)
        : links_(links),
          trace_(trace),
          watch_(watch),
          schedule_(plan.program.schedule),
          host_(std::move(host)) {}
    void computesWith(Ops& ops) { ops_ = &ops; }

    int rank() const override { return host_->rank(); }
    int size() const override { return host_->size(); }
    void postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                  std::int64_t sent_ns) override;
    void postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) override;
    bool arrived(const MessageTag&) override { return true; }  // the stream waits, not the rank
    // What is handed to the rank's stream from now on finds the message in its place. Returns 0: nobody knows
    // when it was sent.
    std::int64_t wait(const MessageTag& tag) override;
    void allReduceSum(std::span<double> values) override { host_->allReduceSum(values); }
    void abort(const std::string& reason) override { host_->abort(reason); }

private:
    struct Expected {
        int peer;
        void* into;
        std::size_t bytes;
        GpuLinkEnd::Staged staged;
    };
    void exchange(GpuLinkEnd& link, const Action& message, const GpuLinkEnd::Staged& staged);
    BscopeStream* computeStream() const { return trace_.computeStream(rank()).stream; }

    GpuLinks& links_;
    GpuTrace& trace_;
    GpuWatch& watch_;
    const Schedule& schedule_;
    std::unique_ptr<Communicator> host_;
    Ops* ops_ = nullptr;
    std::map<MessageTag, Expected> expected_;
};

}  // namespace bscope
