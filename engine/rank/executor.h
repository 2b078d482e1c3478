// Executor: how a rank gets through actions, whatever they compute: it posts receives, waits for inputs, does
// the work on the clock, hands results on and records what happened. It owns the tensors that wait for their
// consumer; of weights, losses and steps it knows nothing. In the rank's own thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <utility>

#include "clock/clock.h"
#include "clock/stolen_time.h"
#include "kernels/communicator.h"
#include "model/workplace.h"
#include "plan/plan.h"
#include "rank/message_store.h"
#include "rank/recorder.h"

namespace bscope {

class Executor {
public:
    // All references must outlive it.
    Executor(const Plan& plan, int rank, Workplace& workplace, Clock& clock, Communicator& communicator,
             Recorder& recorder);

    // Memory for the messages of the plan. A GPU may have to be idle for memory to be taken, and cannot while
    // a receive spins that waits for this rank.
    void reserve();
    // Nothing was done yet, and nothing breaks it off; and the iteration that is recorded from here on.
    void beginWork();
    void beginIteration(int iteration);

    // The action at hand. Throws why when the work is to be broken off.
    void begin(const Action& action);
    const Action& action() const { return current_; }
    void postReceive(const Action& action);
    void send(const Action& action);
    // F, B, I, W or R: work on the input and the output, null where the action has none. free_ns: since when
    // the rank has had nothing else to do.
    using Compute = std::function<void(float* input, float* output)>;
    void compute(const Action& action, std::int64_t free_ns, const UsedWeights& used, const Compute& work);

    // Within the work of an operation: what waits for other ranks, and is none of the work.
    void interrupt(const std::function<void()>& between) { clock_.interrupt(rank_, between); }
    bool isWithinOperation() const { return is_within_; }
    // Of the operation at hand: as Recorder's.
    void recordCollective(KernelEvent::Kind kind, std::size_t sent_bytes, std::int64_t start_ns,
                          std::int64_t ready_ns) {
        recorder_.collective(current_, kind, sent_bytes, start_ns, ready_ns, now_ns());
    }

    // Other work, timed as that; record() makes an event of an action's.
    OpTime run(const WorkId& id, const std::function<void()>& work) { return clock_.run(rank_, id, work); }
    void runUntimed(const std::function<void()>& work) { clock_.runUntimed(rank_, work); }
    void record(const Action& action, const OpTime& time, const UsedWeights& used = {});
    std::int64_t now_ns() const { return clock_.now_ns(rank_); }

    // Waits for other ranks, whose core this one's then is.
    template <class Wait>
    auto waitForOthers(Wait wait) {
        clock_.giveWay(rank_);
        return stolen_time_.waiting(std::move(wait));
    }
    void waitUntil(std::int64_t time_ns) {
        stolen_time_.waiting([&] { clock_.waitUntil(rank_, time_ns); });
    }
    // Hands over what was recorded: nothing of this rank comes any more that starts before that time.
    // Within an operation there is something: the operation.
    void flush(std::int64_t time_ns) {
        if (!is_within_) recorder_.flush(std::min(time_ns, held_back_from_ns_));
    }
    // What is still to be recorded begins there; kNothing: nothing is.
    static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::max();
    void holdBack(std::int64_t from_ns) { held_back_from_ns_ = from_ns; }
    void flushIfDue(std::int64_t time_ns) { recorder_.flushIfDue(time_ns); }
    // Throws why when the work is to be broken off, unless it is committed: then it is completed.
    void throwIfItMust();
    void commit(bool is_committed) {
        is_committed_ = is_committed;
        communicator_.complete(is_committed);
    }
    bool isCommitted() const { return is_committed_; }

    Communicator& communicator() const { return communicator_; }
    int rankOf(int stage) const {
        return plan_.program.schedule.placement.at(static_cast<std::size_t>(stage));
    }
    // What a message takes on the modelled link. ns
    std::int64_t transfer_ns(std::size_t bytes) const {
        return std::llround(plan_.config.link.transferNs(static_cast<double>(bytes)));
    }
    // How long the rank was kept from going on by others since beginWork() or the last call. ns
    std::int64_t takeStolen_ns() { return stolen_time_.take(); }
    // To the share of the iteration that ends here.
    void moveTo(RankIteration& share);
    std::size_t bufferBytes() const { return messages_.reservedBytes(); }

private:
    float* await(const MessageTag& tag, std::int64_t free_ns);
    int senderOf(const MessageTag& tag) const;  // its rank
    bool mustStop();
    bool isDueToLook();

    const Plan& plan_;
    const int rank_;
    Workplace& workplace_;
    Clock& clock_;
    Communicator& communicator_;
    Recorder& recorder_;
    MessageStore messages_;
    Action current_;
    bool is_committed_ = false, is_within_ = false;
    std::int64_t held_back_from_ns_ = kNothing;
    std::exception_ptr broken_off_;
    std::chrono::steady_clock::time_point looked_;
    StolenTime stolen_time_;
};

}  // namespace bscope
