// How the first process drives an iteration with a flush, and what it reports of any: the batch goes out with
// the order, shares come back with the replies.
#include <algorithm>
#include <utility>

#include "clock/thread_time.h"
#include "mpi/process_pipeline.h"
#include "rank/optimizer_step.h"
#include "run/iteration_report.h"

namespace bscope {

IterationOrder ProcessPipeline::nextOrder(std::int64_t start_ns) const {
    IterationOrder order;
    order.pipeline = number_;
    order.iteration = training_.iteration;
    order.start_ns = start_ns;
    order.step = adamWStep(training_config_, training_.optimizer_steps + 1);
    order.clip_norm = training_config_.clip_norm;
    const auto samples = static_cast<std::size_t>(rank_->plan().config.samples());
    Batch batch = training_.data.batch(training_.next_sample, samples, rank_->plan().shape.T);
    order.tokens = std::move(batch.tokens);
    order.targets = std::move(batch.targets);
    return order;
}

IterationReport ProcessPipeline::iterate(std::int64_t start_ns, int more_to_come) {
    if (rank_->plan().stream) {
        if (!streams()) startStream(start_ns);
        gate_->admitFor(more_to_come);
        IterationReport report = nextOfStream();
        if (gate_->isOver()) finishStream();
        return report;
    }
    beforeWork(measured() && group_.clocks->isDue());
    const std::int64_t host_start_ns = monotonic_ns();
    std::vector<RankShare> of_ranks = runOn(nextOrder(start_ns));
    const std::int64_t host_ns = monotonic_ns() - host_start_ns;
    std::vector<Share> shares;
    for (RankShare& of_rank : of_ranks) shares.push_back(std::move(of_rank.share));
    start_ns_ = start_ns;
    if (books_) books_->write(training_.iteration, shares, host_ns);
    timeline_ = Timeline(ranks(), rank_->provenance());
    return report(shares, loss(of_ranks), rank_->gradientNorm(), host_ns);
}

// Once the sum over all ranks is out, nothing is waited for any more that could break off the iteration.
std::vector<RankShare> ProcessPipeline::runOn(const IterationOrder& order) {
    at_home_ = false;
    std::vector<RankShare> shares;
    heed_ = Heed::Everything;
    try {
        sendOut(order);
        shares.push_back(RankShare::unpack(rank_->iterate(order), onGpus()));
        awaitReplies("the report of an iteration");
    } catch (const std::exception&) {
        breakOff(std::current_exception());
    }
    heed_ = Heed::Life;
    for (int rank = 1; rank < ranks(); ++rank)
        shares.push_back(RankShare::unpack(replies_[static_cast<std::size_t>(rank)]->share, onGpus()));
    return shares;
}

// What an iteration says, and the training is one iteration further. Of a stream everything is settled up to
// where the rank that is behind all others has ended it.
IterationReport ProcessPipeline::report(const std::vector<Share>& shares, double loss, double gradient_norm,
                                        std::int64_t host_ns) {
    const Plan& plan = rank_->plan();
    std::int64_t settled_ns = shares.front().end_ns;
    end_ns_ = 0;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        const Share& share = shares[rank];
        for (const Event& event : share.events) timeline_.append(event);
        for (const MemoryPoint& point : share.memory) timeline_.append(point);
        if (!books_) {
            observer_.events(static_cast<int>(rank), share.events);
            observer_.memory(static_cast<int>(rank), share.memory);
        }
        calibration_.add(share.samples);
        end_ns_ = std::max(end_ns_, share.end_ns);
        settled_ns = std::min(settled_ns, share.end_ns);
    }
    observer_.watermark(streams() ? settled_ns : end_ns_);
    calibration_.endIteration();
    const Costs costs = calibratedCosts(plan, calibration_);
    IterationReport report =
        describeIteration(plan, timeline_, training_.iteration, costs, end_ns_ - start_ns_);
    report.device = device_name_;
    report.loss = loss;
    report.grad_norm = gradient_norm;
    addSharesToReport(report, shares, host_ns);
    if (books_) books_->complete(report);
    if (measured()) report.clock_residual_us = group_.clocks->residual_us(ranks());
    training_.advance(plan.config.samples(), plan.optimizerSteps());
    return report;
}

// Mean over the micro-batches, summed in their order: the same bits as with threads.
double ProcessPipeline::loss(const std::vector<RankShare>& shares) const {
    double sum = 0;
    for (std::size_t chain = 0; chain < rank_->plan().program.schedule.chains.size(); ++chain)
        for (const RankShare& share : shares)
            for (const double of_microbatch : share.losses[chain]) sum += of_microbatch;
    return sum / rank_->plan().config.params.microbatches();
}

}  // namespace bscope
