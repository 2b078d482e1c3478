// Worker: one rank. A loop over the actions of its program; it owns the rank's stages and the tensors that
// wait for their consumer. Everything but the constructor and the results is called in the rank's own thread.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "clock/blocked_signals.h"
#include "clock/clock.h"
#include "clock/stolen_time.h"
#include "kernels/communicator.h"
#include "plan/message_tags.h"
#include "plan/plan.h"
#include "rank/message_store.h"
#include "rank/rank_stages.h"
#include "rank/recorder.h"
#include "rank/share.h"
#include "rank/stream_gate.h"

namespace bscope {

struct AdamWStep;

// Where an endless stream begins.
struct StreamStart {
    int iteration = 0;
    int version = 0;  // of the weights
};

class Worker {
public:
    // All references must outlive the worker; models as RankStages takes them.
    Worker(const Plan& plan, int rank, const std::vector<Model*>& models, Clock& clock,
           Communicator& communicator, Recorder& recorder);

    // Kernels compiled, memory touched; no number of the training changes.
    void warmUp(const BatchView& one_microbatch);
    // One iteration of the program. AdamWStep's gradient_scale is found here. Throws what goes wrong;
    // action() then says where.
    void run(const BatchView& batch, int iteration, const AdamWStep& step, double clip_norm);
    // The rank's shares of one iteration after the other, until the gate says that the stream has ended.
    void runStream(StreamGate& gate, const StreamStart& start);
    // What was done since the last call; after run().
    Share takeShare();

    // Of the last iteration.
    const Action& action() const { return current_; }
    // Its weights are being stepped, and no other rank is waited for any more.
    bool stepBegun() const { return step_begun_; }

    const RankStages& stages() const { return stages_; }
    RankStages& stages() { return stages_; }
    std::size_t bufferBytes() const;

private:
    // The rank's thread computes: it runs no signal handlers, and in the end it gives way.
    class AtWork {
    public:
        AtWork(Clock& clock, int rank) : clock_(clock), rank_(rank) {}
        ~AtWork() { clock_.giveWay(rank_); }
        AtWork(const AtWork&) = delete;
        AtWork& operator=(const AtWork&) = delete;

    private:
        const BlockedSignals held_;
        Clock& clock_;
        const int rank_;
    };

    void reserve();
    void addLosses(int first);
    void reserveReductions();
    // What one round of a reduction carries to or from the copy in a chain.
    struct Piece {
        float* data;
        std::size_t floats;
    };
    struct Round {
        MessageKind kind;  // Slice or Sum
        std::function<Piece(int chain)> sends, receives;
        std::int64_t ready_ns;  // since when what is sent has been there
    };
    // Returns the bytes received, when all are there.
    std::size_t exchange(const Action& action, const Round& round);
    struct Flow;  // of the stream at work
    template <class Wait>
    auto waitForOthers(Wait wait) {
        clock_.giveWay(rank_);
        return stolen_time_.waiting(std::move(wait));
    }
    void postReceive(const Action& action);
    // free_ns: since when the rank has had nothing else to do.
    void compute(const Action& action, std::int64_t free_ns, const UsedWeights& used = {});
    void send(const Action& action);
    void reduceGradients(const Action& action);
    void stepOptimizer(AdamWStep step, double clip_norm);
    float* await(const MessageTag& tag, std::int64_t free_ns);
    // The iteration is to be broken off: checked in a wait for a clock, and after it and between two
    // operations throwIfItMust() throws why.
    bool mustStop();
    void throwIfItMust();
    bool isDueToLook();
    void record(const Action& action, const OpTime& time, const UsedWeights& used = {});
    int rankOf(int stage) const { return schedule_.placement.at(static_cast<std::size_t>(stage)); }

    int senderOf(const MessageTag& tag) const;  // its rank

    bool runShare(Flow& flow, int iteration);
    bool enter(Flow& flow, const Action& forward);
    void expect(Flow& flow, const Action& action);
    void computeVersioned(Flow& flow, const Action& action, std::int64_t free_ns);
    void stepOwnStage(Flow& flow);

    const Plan& plan_;
    const Schedule& schedule_;
    const int rank_;
    Clock& clock_;
    Communicator& communicator_;
    Recorder& recorder_;
    RankStages stages_;
    MessageStore messages_;
    // Of the stage whose gradients are being added, the largest one's size: all of them, and every copy's of
    // the slice that is added up here.
    Buffer gradients_, slices_;

    Action current_;
    bool step_begun_ = false;
    std::exception_ptr broken_off_;
    std::chrono::steady_clock::time_point looked_;
    StolenTime stolen_time_;
    std::int64_t held_ns_ = 0;      // of the iteration
    std::vector<double> exchange_;  // squares by tensor, then a device clock a rank
    Share share_;
};

}  // namespace bscope
