// How a pipeline drives an endless stream: the ranks are started once and run on; iterations are asked of the
// gate.
#include "clock/thread_time.h"
#include "run/iteration_report.h"
#include "run/pipeline.h"

namespace bscope {

int Pipeline::iterationsAhead() const {
    return plan_.stream ? bscope::iterationsAhead(*plan_.stream) : 0;
}

void Pipeline::startStream(std::int64_t start_ns) {
    {
        const std::lock_guard<std::mutex> lock(gate_mutex_);
        gate_ =
            std::make_unique<LocalGate>(*plan_.stream, plan_.ranks(), training_.microbatches(plan_.config));
    }
    timeline_ = Timeline(plan_.ranks(), clock_->provenance());
    host_end_ns_ = monotonic_ns();
    clock_->beginIteration(start_ns);
    board_.begin(start_ns);
    if (gpus_) gpus_->beginStream(training_.iteration);
    const StreamStart start{training_.iteration, static_cast<int>(training_.optimizer_steps)};
    launch([this, start](int rank) { workers_[static_cast<std::size_t>(rank)]->runStream(*gate_, start); });
}

std::vector<Share> Pipeline::nextOfStream() {
    std::vector<Share> shares = gate_->await();
    if (shares.empty()) {
        join();
        throw RunFailure("The stream was stopped.", "Run again.");
    }
    if (gpus_) gpus_->endShares(shares);
    timeline_ = onlyIteration(timeline_, training_.iteration - 1);
    return shares;
}

void Pipeline::finishStream() {
    join();
    {
        const std::lock_guard<std::mutex> lock(gate_mutex_);
        gate_.reset();
    }
    observer_.watermark(end_ns_);
}

}  // namespace bscope
