// GpuWatch: whether p GPUs that work at the same time still make progress. Every action handed to a GPU is
// noted; a rank that waits for its GPU looks at what has come so far, and when no rank has made progress for
// `patience`, the rank that waits for a message that was sent but never came reports it. note() and look() in
// the rank's thread, for all ranks at the same time. Ranks of other processes send messages about their
// progress.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "gpu/gpu_trace.h"
#include "kernels/communicator.h"
#include "kernels/plugin/gpu_event.h"
#include "plan/failure.h"
#include "plan/plan.h"

namespace bscope {

class GpuWatch {
public:
    // How long all GPUs may stand still: an action takes milliseconds, so this is no action.
    static constexpr std::chrono::seconds kPatience{5};
    GpuWatch(const BscopePlugin& api, const Plan& plan, std::chrono::milliseconds patience = kPatience);

    void beginIteration();
    // The work was handed to the stream just now.
    void note(int rank, const WorkId& id, const TracedStream& stream);
    // The same of taking a message of a reduction, for which the stream waits by itself.
    void noteTaking(int rank, const MessageTag& tag, const TracedStream& stream);
    // Throws StuckAction.
    void look(int rank);
    // While the rank's host is further ahead of its GPU than is of use, it waits and looks. One that fills
    // the GPU's queue would wait in the driver instead, where nothing ends the wait.
    void waitWhileFarAhead(int rank);
    void waitUntil(int rank, const std::function<bool()>& condition);
    // How these look: as while waiting for the GPU. By the rank's thread, as all that it does.
    void lookWith(int rank, std::function<void()> look) {
        ranks_[static_cast<std::size_t>(rank)].look = std::move(look);
    }
    // What the rank's GPU is at; nullopt when it is done with everything.
    std::optional<Action> current(int rank) const;
    // What was handed to it last.
    const Action& last(int rank) const { return ranks_[static_cast<std::size_t>(rank)].last; }
    // The rank whose message is needed for what its GPU is at; -1 when none.
    int peerOf(int rank) const;
    // Since a rank last made progress, and this one has had something to do.
    double secondsSince(int rank) const;
    // Of a stream: micro-batches below that have been consumed everywhere and are not needed again.
    void forget(int microbatches);

    // What ranks here have sent since the last call; nullopt when none has got on. Only if it was asked for
    // from the beginning.
    void keepNews() { keeps_news_ = true; }
    std::optional<std::vector<MessageTag>> takeNews();
    // The same of another process.
    void addNews(std::span<const MessageTag> sent);

private:
    struct Milestone {
        WorkId id;
        std::optional<MessageTag> input;
        GpuEvent event;
        std::int64_t handed_over_ns;  // monotonic
    };
    struct Rank {
        std::deque<Milestone> open;
        std::vector<GpuEvent> spare;
        std::function<void()> look;
        Action last{-1, Op::OptimizerStep, -1};
    };
    void note(int rank, const WorkId& id, const std::optional<MessageTag>& input, const TracedStream& stream);
    bool wasSent(int rank);
    void produce(const WorkId& id);

    const BscopePlugin& api_;
    const Plan& plan_;
    const std::chrono::milliseconds patience_;
    std::vector<Rank> ranks_;
    std::atomic<std::int64_t> got_on_ns_{0};  // monotonic
    std::mutex mutex_;
    std::set<MessageTag> produced_;  // on the GPU of its producer
    bool keeps_news_ = false;
    std::atomic<bool> has_news_{false};
    std::vector<MessageTag> news_;  // of them, not taken yet
};

}  // namespace bscope
