// A rank's part of an endless stream: no flush and no meeting of the ranks. Every micro-batch is computed
// with the version of the weights that the schedule's rule says, and the rank steps its own stage, clipped by
// the norm of its own gradients: the norm over all ranks would make them wait for each other.
#include <algorithm>
#include <utility>

#include "model/optimizer.h"
#include "rank/optimizer_step.h"
#include "rank/worker.h"
#include "schedule/weight_versions.h"

namespace bscope {

struct Worker::Flow {
    StreamGate& gate;
    const StreamStart& start;
    int expected = 0;             // micro-batches whose activation has its receive posted
    int last_backward = -1;       // micro-batch
    bool gradients_used = false;  // the optimizer has applied them: the next backward starts from zero
};

void Worker::runStream(StreamGate& gate, const StreamStart& start) {
    const AtWork at_work(clock_, rank_);
    Flow flow{gate, start};
    broken_off_ = nullptr;
    clock_.runUntimed(rank_, [&] { stages_.beginStream(start.version); });
    stolen_time_.begin();
    for (int iteration = 0;; ++iteration) {
        share_ = {};
        recorder_.begin(start.iteration + iteration);
        if (!runShare(flow, iteration)) break;
        stages_.workplace().stream().synchronize();
        recorder_.flush(clock_.now_ns(rank_));
        held_ns_ = stolen_time_.take();
        gate.deliver(rank_, takeShare());
    }
    stages_.endStream();
    recorder_.flush(WatermarkBoard::kDone);
}

// False when the stream has ended before this iteration.
bool Worker::runShare(Flow& flow, int iteration) {
    const int m = plan_.stream->microbatches(), first = iteration * m;
    for (const Action& action : plan_.stream->share(rank_, iteration)) {
        current_ = action;
        throwIfItMust();
        if (action.op == Op::OptimizerStep) {
            stepOwnStage(flow);
        } else if (action.op == Op::Forward) {
            const std::int64_t free_ns = clock_.now_ns(rank_);
            if (enter(flow, action))
                computeVersioned(flow, action, free_ns);
            else if (!flow.gate.has(first))
                return false;
        } else if (flow.gate.has(action.microbatch)) {
            if (action.op == Op::RecvForward)
                expect(flow, action);
            else if (action.op == Op::RecvBackward)
                postReceive(action);
            else if (isSend(action.op))
                send(action);
            else
                computeVersioned(flow, action, clock_.now_ns(rank_));
        }
    }
    addLosses(first);
    return true;
}

// Waits until it is known whether the micro-batch is in the stream; then it is ready for its forward. Its
// receive is posted here when it was not yet known where the sender placed it.
bool Worker::enter(Flow& flow, const Action& forward) {
    const int mb = forward.microbatch;
    const bool at_the_door = schedule_.previousStage(forward.stage) < 0;
    if (!flow.gate.has(mb)) {
        recorder_.flush(clock_.now_ns(rank_));
        if (!waitForOthers([&] { return flow.gate.waitFor(mb); })) return false;
        share_.held_back = share_.held_back || at_the_door;
    }
    if (at_the_door || schedule_.nextStage(forward.stage) < 0) {
        const Batch batch = flow.gate.samples(mb);
        clock_.runUntimed(rank_, [&] { stages_.load(mb, {batch.tokens, batch.targets}); });
    }
    if (!at_the_door) expect(flow, forward);
    return true;
}

// Messages of one link come in the order in which they are sent: no receive is posted before an earlier one.
void Worker::expect(Flow& flow, const Action& action) {
    for (; flow.expected <= action.microbatch; ++flow.expected)
        postReceive({action.stage, Op::RecvForward, flow.expected});
}

void Worker::computeVersioned(Flow& flow, const Action& action, std::int64_t free_ns) {
    WeightStash& stash = stages_.stash();
    const int version = flow.start.version + versionRead(schedule_, rank_, action.microbatch);
    if (action.op == Op::Backward) {
        flow.last_backward = action.microbatch;
        if (std::exchange(flow.gradients_used, false))
            clock_.runUntimed(rank_, [this] { stages_.zeroGradients(); });
    }
    stash.use(version);
    compute(action, free_ns, {version, stash.newest() - version});
}

void Worker::stepOwnStage(Flow& flow) {
    WeightStash& stash = stages_.stash();
    const auto version = [&](int mb) { return flow.start.version + versionRead(schedule_, rank_, mb); };
    const int newest = stash.newest(), staleness = newest - version(flow.last_backward);
    const TrainingConfig& training = plan_.config.training;
    AdamWStep step = adamWStep(training, newest + 1);
    const OpTime time = clock_.run(rank_, {current_, WorkPart::Main, newest + 1}, [&] {
        std::fill(exchange_.begin(), exchange_.end(), 0.0);
        stages_.sumSquares();
        stages_.gradientSquares(exchange_);
        share_.gradient_norm = bscope::gradientNorm(exchange_);
        step.gradient_scale = clipFactor(share_.gradient_norm, training.clip_norm);
        step_begun_ = true;  // the norm has waited for what others sent, the rest is the rank's own
        stash.beforeStep(version(flow.last_backward + 1));
        stages_.step(step);
    });
    stash.stepped();
    step_begun_ = false;
    flow.gradients_used = true;
    share_.weight_versions = std::max(share_.weight_versions, stash.held());
    share_.stashed_weight_bytes =
        std::max(share_.stashed_weight_bytes, static_cast<std::int64_t>(stash.bytes()));
    share_.staleness = std::max(share_.staleness, staleness);
    record(current_, time, {stash.newest(), staleness});
}

}  // namespace bscope
