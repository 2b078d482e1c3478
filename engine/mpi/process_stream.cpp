// How the first process drives an endless stream: its rank and the others are started once and run on, and
// iterations are asked of the gate. What breaks the stream off is found by rank 0's thread, which tells the
// others and says who is to blame; whoever asks next hears it.
#include <utility>

#include "clock/thread_time.h"
#include "mpi/process_pipeline.h"
#include "run/iteration_report.h"

namespace bscope {

int ProcessPipeline::iterationsAhead() const {
    const auto& stream = rank_->plan().stream;
    return stream ? bscope::iterationsAhead(*stream) : 0;
}

std::vector<IterationReport> ProcessPipeline::drain() {
    std::vector<IterationReport> reports;
    if (!streams()) return reports;
    gate_->end();
    while (!gate_->isOver()) reports.push_back(nextOfStream());
    finishStream();
    return reports;
}

StreamOrder ProcessPipeline::streamOrder(std::int64_t start_ns) const {
    StreamOrder order;
    order.pipeline = number_;
    order.start = {training_.iteration, static_cast<int>(training_.optimizer_steps)};
    order.start_ns = start_ns;
    order.training = training_config_;
    Batch batch = training_.microbatches(rank_->plan().config)(0);
    order.tokens = std::move(batch.tokens);
    order.targets = std::move(batch.targets);
    return order;
}

void ProcessPipeline::startStream(std::int64_t start_ns) {
    beforeWork(measured());
    const Plan& plan = rank_->plan();
    if (measured()) group_.clocks->keepLines(ranks());
    gate_ = std::make_unique<LocalGate>(*plan.stream, ranks(), training_.microbatches(plan.config));
    timeline_ = Timeline(ranks(), rank_->provenance());
    at_home_ = false;
    stream_failure_ = nullptr;
    host_end_ns_ = monotonic_ns();
    if (!thread_) thread_ = std::make_unique<ThreadTeam>(1);
    job_ = [this, order = streamOrder(start_ns)](int) { runStream(order); };
    thread_->start(job_);
}

void ProcessPipeline::runStream(const StreamOrder& order) {
    heed_ = Heed::Everything;
    try {
        sendOut(order);
        door_ = std::make_unique<FirstGate>(*gate_, *rank_, *group_.line);
        rank_->runStream(order, *door_);
        awaitReplies("the end of a stream");
    } catch (const std::exception&) {
        door_.reset();
        try {
            breakOff(std::current_exception());
        } catch (const std::exception&) {
            stream_failure_ = std::current_exception();
        }
        gate_->stop();
    }
    door_.reset();
    heed_ = Heed::Life;
}

IterationReport ProcessPipeline::nextOfStream() {
    std::vector<Share> shares = gate_->await();
    if (shares.empty()) joinStream();
    if (books_ && gate_->awaited() == 1) books_->begin();
    if (books_) books_->place(training_.iteration, shares);
    const std::int64_t host_start_ns = std::exchange(host_end_ns_, monotonic_ns());
    timeline_ = onlyIteration(timeline_, training_.iteration - 1);
    IterationReport report = this->report(shares, streamLoss(shares, rank_->plan().stream->microbatches()),
                                          streamGradientNorm(shares), host_end_ns_ - host_start_ns);
    if (measured() && heldBack(shares, gate_->awaited() - 1)) report.disturbed = true;
    return report;
}

void ProcessPipeline::joinStream() {
    thread_->finish();
    if (stream_failure_) std::rethrow_exception(stream_failure_);
}

void ProcessPipeline::finishStream() {
    joinStream();
    gate_.reset();
    observer_.watermark(end_ns_);
}

}  // namespace bscope
