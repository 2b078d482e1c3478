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

class Worker::Stream final : public Flow {
public:
    Stream(Worker& worker, StreamGate& gate, const StreamStart& start)
        : worker_(worker), executor_(worker.executor_), gate_(gate), start_(start) {}

    void beginIteration(int first_microbatch) { first_ = first_microbatch; }

    Entry enter(const Action& action) override {
        if (action.op == Op::OptimizerStep) return Entry::In;
        if (action.op != Op::Forward) return gate_.has(action.microbatch) ? Entry::In : Entry::Out;
        if (enterForward(action)) return Entry::In;
        return gate_.has(first_) ? Entry::Out : Entry::Over;
    }

    void postReceive(const Action& action) override {
        if (action.op == Op::RecvForward)
            expect(action);
        else
            executor_.postReceive(action);
    }

    UsedWeights prepare(const Action& action) override {
        WeightStash& stash = worker_.stages_.stash();
        const int version = versionOf(action.microbatch);
        if (action.op == Op::Backward) {
            last_backward_ = action.microbatch;
            if (std::exchange(gradients_used_, false))
                executor_.runUntimed([this] { worker_.stages_.zeroGradients(); });
        }
        stash.use(version);
        return {version, stash.newest() - version};
    }

    void step(const Action& action) override {
        RankStages& stages = worker_.stages_;
        WeightStash& stash = stages.stash();
        RankIteration& share = worker_.share_;
        const int newest = stash.newest(), staleness = newest - versionOf(last_backward_);
        const TrainingConfig& training = worker_.plan_.config.training;
        AdamWStep step = adamWStep(training, newest + 1);
        const OpTime time = executor_.run({action, WorkPart::Main, newest + 1}, [&] {
            std::vector<double>& squares = worker_.exchange_;
            std::fill(squares.begin(), squares.end(), 0.0);
            stages.sumSquares();
            stages.gradientSquares(squares);
            share.gradient_norm = bscope::gradientNorm(squares);
            step.gradient_scale = clipFactor(share.gradient_norm, training.clip_norm);
            executor_.commit(true);  // the norm has waited for what others sent, the rest is the rank's own
            stash.beforeStep(versionOf(last_backward_ + 1));
            stages.step(step);
        });
        stash.stepped();
        executor_.commit(false);
        gradients_used_ = true;
        share.weight_versions = std::max(share.weight_versions, stash.held());
        share.stashed_weight_bytes =
            std::max(share.stashed_weight_bytes, static_cast<std::int64_t>(stash.bytes()));
        share.staleness = std::max(share.staleness, staleness);
        executor_.record(action, time, {stash.newest(), staleness});
    }

private:
    // Waits until it is known whether the micro-batch is in the stream; then it is ready for its forward. Its
    // receive is posted here when it was not yet known where the sender placed it.
    bool enterForward(const Action& forward) {
        const Schedule& schedule = worker_.schedule_;
        const int mb = forward.microbatch;
        const bool at_the_door = schedule.previousStage(forward.stage) < 0;
        if (!gate_.has(mb)) {
            executor_.flush(executor_.now_ns());
            if (!executor_.waitForOthers([&] { return gate_.waitFor(mb); })) return false;
            worker_.share_.held_back = worker_.share_.held_back || at_the_door;
        }
        if (at_the_door || schedule.nextStage(forward.stage) < 0) {
            const Batch batch = gate_.samples(mb);
            executor_.runUntimed([&] { worker_.stages_.load(mb, {batch.tokens, batch.targets}); });
        }
        if (!at_the_door) expect(forward);
        return true;
    }

    // Messages of one link come in the order in which they are sent: no receive is posted before an earlier
    // one.
    void expect(const Action& action) {
        for (; expected_ <= action.microbatch; ++expected_)
            executor_.postReceive({action.stage, Op::RecvForward, expected_});
    }

    int versionOf(int microbatch) const {
        return start_.version + versionRead(worker_.schedule_, worker_.rank_, microbatch);
    }

    Worker& worker_;
    Executor& executor_;
    StreamGate& gate_;
    const StreamStart start_;
    int first_ = 0;                // micro-batch of the iteration
    int expected_ = 0;             // micro-batches whose activation has its receive posted
    int last_backward_ = -1;       // micro-batch
    bool gradients_used_ = false;  // the optimizer has applied them: the next backward starts from zero
};

void Worker::runStream(StreamGate& gate, const StreamStart& start) {
    const AtWork at_work(clock_, rank_);
    Stream flow(*this, gate, start);
    executor_.runUntimed([&] { stages_.beginStream(start.version); });
    executor_.beginWork();
    for (int iteration = 0;; ++iteration) {
        const int first = iteration * plan_.stream->microbatches();
        share_ = {};
        executor_.beginIteration(start.iteration + iteration);
        flow.beginIteration(first);
        if (!run(plan_.stream->share(rank_, iteration), flow)) break;
        addOutcome(first);
        stages_.workplace().stream().synchronize();
        executor_.flush(executor_.now_ns());
        held_ns_ = executor_.takeStolen_ns();
        gate.deliver(rank_, takeShare());
    }
    stages_.endStream();
    executor_.flush(WatermarkBoard::kDone);
}

}  // namespace bscope
