// GpuLinks: the messages between p GPUs. Each ordered pair of ranks that talk has a link of its own, on a
// stream of its own at either end, so that no message waits for one of another direction; all links are split
// off one world. The host waits for nothing: GpuCommunicator hands messages over, and streams wait for each
// other. A message is copied into the link's memory before it travels and out of it after, in the order of
// the rank's own stream; so the buffers may be used again at once.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/gpu_trace.h"
#include "gpu/gpu_watch.h"
#include "gpu/link_rounds.h"
#include "kernels/communicator.h"
#include "kernels/plugin/cuda_device.h"
#include "kernels/plugin/gpu_event.h"
#include "kernels/plugin/gpu_world.h"
#include "plan/plan.h"
#include "plan/rank_failure.h"

namespace bscope {

// A link that does not come up, or breaks; what() says with whom and after how long.
struct LinkFailure : DeviceError, FailureDetail {
    // peer -1: all others
    LinkFailure(int its_rank, int its_peer, const Sentence& cause, double seconds, bool gpu_is_lost = false);
    int rank;
};

// One end of the link from one rank to another.
class GpuLinkEnd {
public:
    GpuLinkEnd(const BscopePlugin& api, Device& device, bool receives);
    GpuLinkEnd(const GpuLinkEnd&) = delete;
    GpuLinkEnd& operator=(const GpuLinkEnd&) = delete;
    ~GpuLinkEnd();

    void use(GpuLink link) { link_ = std::move(link); }
    bool isReady() const { return link_.isReady(); }
    BscopeLink* link() const { return link_.get(); }

    // The first message makes the connection, before anything is timed. It is handed over when the link is
    // ready; then comes a mark().
    void sendHello();
    // Everything so far is done when the mark is reached.
    void mark();
    bool markIsReached() const { return mark_.done(); }

    // Memory for one message, and when the link (out) or the rank (in) was done with it last. It stays the
    // link's whatever fails: to free it before all links are aborted would wait for them.
    struct Staged {
        Buffer memory;
        GpuEvent ready, free;
    };
    using StagedPlace = std::list<Staged>::iterator;
    // Before the first message: taking memory may wait for all GPUs, and so for a receive that spins.
    void reserve(std::size_t bytes, int count);
    // Out: one that the link is done with, nullopt as long as there is none. In: any that the rank has
    // nothing more to hand over for. Throws std::logic_error where none of that size was reserved.
    std::optional<StagedPlace> take(std::size_t bytes);
    void giveBack(StagedPlace staged) { spare_.splice(spare_.end(), taken_, staged); }
    std::size_t bytes() const { return bytes_; }

    // In its place in the stream once the link is ready.
    void begin(void* data, std::size_t bytes) const;
    const TracedStream& stream() const { return traced_; }

private:
    const BscopePlugin& api_;
    Device& device_;
    const bool receives_;
    std::unique_ptr<Stream> stream_;
    TracedStream traced_;
    Buffer hello_;
    GpuEvent mark_;
    std::list<Staged> spare_, taken_;
    std::atomic<std::size_t> bytes_ = 0;
    GpuLink link_;  // last: closing it ends what its stream waits for
};

// The links of a pipeline's ranks in this process. open() by one thread, in all processes at the same time;
// abort() from any; the rest by the rank's own.
class GpuLinks {
public:
    // What it throws ends a wait.
    using Watch = std::function<void()>;
    GpuLinks(const BscopePlugin& api, const Plan& plan);
    GpuLinks(const GpuLinks&) = delete;
    GpuLinks& operator=(const GpuLinks&) = delete;
    ~GpuLinks() { abortAll(); }

    bool areNeeded() const { return !rounds_.empty(); }
    // deviceOf: of the pipeline's ranks that are members of the world here; the other members take part in
    // the splits all the same. Throws LinkFailure; nothing is left then that is still coming up.
    void open(GpuWorld& world, const std::function<Device&(int)>& deviceOf, Watch watch = nullptr);
    // Of the links here, idle after open().
    std::vector<TracedStream> streams() const;
    void abort(const Sentence& reason);
    // Of open() and of what follows: throws CommunicationAborted.
    void throwIfAborted() const;
    GpuLinkEnd& out(int rank, int peer) { return *ends_.at({{rank, peer}, false}); }
    GpuLinkEnd& in(int rank, int peer) { return *ends_.at({{peer, rank}, true}); }
    // Hands a message over. Throws LinkFailure.
    void exchange(int rank, int peer, GpuLinkEnd& end, void* data, std::size_t bytes);
    void throwIfBroken(int rank) const;
    // Waits until the links here have carried everything. Throws as open().
    void settle();
    std::size_t bytes(int rank) const;

private:
    struct Wait {
        int rank, peer;
        std::function<bool()> done;
    };
    void makeRound(const std::vector<RankPair>& round, GpuWorld& world,
                   const std::function<Device&(int)>& deviceOf);
    void await(const std::vector<Wait>& waits, std::chrono::steady_clock::duration patience) const;
    void abortAll() const noexcept;  // under the lock

    const BscopePlugin& api_;
    const std::vector<std::vector<RankPair>> rounds_;
    Watch watch_;
    mutable std::mutex mutex_;
    std::map<std::pair<RankPair, bool>, std::unique_ptr<GpuLinkEnd>> ends_;  // true: the receiver's
    std::optional<Sentence> aborted_;
};

// While a rank waits for its GPU: throws StuckAction when no rank makes progress any more or a link is
// broken; not the latter once the step has begun, for then all step, and the iteration is complete.
void lookAtGpu(GpuWatch& watch, const GpuLinks& links, int rank, bool step_begun);

// A rank's messages over GpuLinks; sums of host numbers and the meeting of ranks are the host's, a
// communicator between threads or processes.
class GpuCommunicator final : public Communicator {
public:
    // Everything must outlive this; ops on the rank's compute stream.
    GpuCommunicator(GpuLinks& links, GpuTrace& trace, GpuWatch& watch, const Plan& plan, Communicator& host)
        : links_(links), trace_(trace), watch_(watch), schedule_(plan.program.schedule), host_(host) {}
    void computesWith(Ops& ops) { ops_ = &ops; }
    // In a stream over processes the end of a send is not known here.
    void leaveSendsUntimed() { times_sends_ = false; }

    int rank() const override { return host_.rank(); }
    void reserve(int peer, bool receives, std::size_t bytes, int count) override {
        (receives ? links_.in(rank(), peer) : links_.out(rank(), peer)).reserve(bytes, count);
    }
    int size() const override { return host_.size(); }
    void postSend(int peer, const MessageTag& tag, const void* data, std::size_t bytes,
                  std::int64_t sent_ns) override;
    void postReceive(int peer, const MessageTag& tag, void* into, std::size_t bytes) override;
    bool arrived(const MessageTag&) override { return true; }  // the stream waits, not the rank
    // What is handed to the rank's stream from now on finds the message in its place. Returns 0: it is not
    // known when it was sent.
    std::int64_t wait(const MessageTag& tag) override;
    void allReduceSum(std::span<double> values) override { host_.allReduceSum(values); }
    void look() override { host_.look(); }
    void checkForStop() override { host_.checkForStop(); }
    void abort(const Sentence& reason) override { host_.abort(reason); }

private:
    struct Expected {
        int peer;
        void* into;
        std::size_t bytes;
        GpuLinkEnd::StagedPlace staged;
    };
    void exchange(int peer, GpuLinkEnd& link, const Action& message, const GpuLinkEnd::Staged& staged);
    BscopeStream* computeStream() const { return trace_.computeStream(rank()).stream; }

    GpuLinks& links_;
    GpuTrace& trace_;
    GpuWatch& watch_;
    const Schedule& schedule_;
    Communicator& host_;
    Ops* ops_ = nullptr;
    bool times_sends_ = true;
    std::map<MessageTag, Expected> expected_;
};

}  // namespace bscope
