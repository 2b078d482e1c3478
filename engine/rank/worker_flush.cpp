// A rank's part of an iteration with a flush: all micro-batches are there from the beginning, and the weights
// are stepped once, clipped by the norm of all ranks' gradients.
#include <algorithm>

#include "model/optimizer.h"
#include "rank/worker.h"

namespace bscope {

class Worker::Flush final : public Flow {
public:
    Flush(Worker& worker, const AdamWStep& step, double clip_norm)
        : worker_(worker), executor_(worker.executor_), step_(step), clip_norm_(clip_norm) {}

    Entry enter(const Action& /*action*/) override { return Entry::In; }
    void postReceive(const Action& action) override { executor_.postReceive(action); }
    UsedWeights prepare(const Action& /*action*/) override { return {}; }

    // The norm needs every rank's gradients: all meet here, and what waits from here on, for stepped weights
    // under ZeRO, completes, so that an iteration that is broken off has either stepped everywhere or
    // nowhere.
    void step(const Action& action) override {
        RankStages& stages = worker_.stages_;
        std::vector<double>& exchange = worker_.exchange_;
        const std::size_t tensors = exchange.size() - static_cast<std::size_t>(worker_.plan_.ranks());
        std::fill(exchange.begin(), exchange.end(), 0.0);
        const std::span<double> squares = std::span(exchange).first(tensors);
        const std::span<double> clocks = std::span(exchange).subspan(tensors);
        executor_.run({action, WorkPart::Norm}, [&] {
            worker_.addUpSummands();
            stages.sumSquares();
        });
        stages.gradientSquares(squares);
        clocks[static_cast<std::size_t>(worker_.rank_)] = static_cast<double>(executor_.now_ns());
        executor_.flush(WatermarkBoard::kDone);
        executor_.waitForOthers([&] { executor_.communicator().allReduceSum(exchange); });
        executor_.waitUntil(static_cast<std::int64_t>(*std::max_element(clocks.begin(), clocks.end())));

        const double norm = bscope::gradientNorm(squares);
        worker_.share_.gradient_norm = norm;
        step_.gradient_scale = clipFactor(norm, clip_norm_);
        executor_.commit(true);
        const OpTime time = executor_.run(action, [&] { stages.step(step_); });
        executor_.record(action, time);
    }

private:
    Worker& worker_;
    Executor& executor_;
    AdamWStep step_;
    const double clip_norm_;
};

void Worker::run(const BatchView& batch, int iteration, const AdamWStep& step, double clip_norm) {
    const AtWork at_work(clock_, rank_);
    share_ = {};
    executor_.beginIteration(iteration);
    executor_.beginWork();
    shards_.beginIteration();
    executor_.runUntimed([&] { stages_.begin(batch); });
    Flush flow(*this, step, clip_norm);
    run(plan_.program.actions[static_cast<std::size_t>(rank_)], flow);
    stages_.workplace().stream().synchronize();
    executor_.commit(false);
    executor_.flush(WatermarkBoard::kDone);
    held_ns_ = executor_.takeStolen_ns();
    addOutcome(0);
}

}  // namespace bscope
