// How a pipeline drives an endless stream: the ranks are started once and run on; iterations are asked of the
// gate.
#include <algorithm>
#include <utility>

#include "run/pipeline.h"
#include "run/thread_time.h"
#include "timeline/iteration_events.h"

namespace bscope {

namespace {

// Beyond the fill of the pipe, so that the first rank has work while the report of an iteration is written.
constexpr int kSlack = 2;

}  // namespace

// Micro-batches of later iterations that enter before an iteration is asked for its report.
int Pipeline::microbatchesAhead() const {
    return plan_.stream->warmUp() + kSlack;
}

int Pipeline::iterationsAhead() const {
    if (!plan_.stream) return 0;
    const int m = plan_.stream->microbatches();
    return (microbatchesAhead() + m - 1) / m;
}

void Pipeline::startStream(std::int64_t start_ns) {
    {
        const std::lock_guard<std::mutex> lock(gate_mutex_);
        gate_ = std::make_unique<StreamGate>(plan_.ranks());
    }
    stream_iterations_ = 0;
    stream_start_ = {training_.iteration, static_cast<int>(training_.optimizer_steps), training_.next_sample};
    timeline_ = Timeline(plan_.ranks(), clock_->provenance());
    host_end_ns_ = monotonic_ns();
    clock_->beginIteration(start_ns);
    board_.begin(start_ns);
    launch([this](int rank) {
        workers_[static_cast<std::size_t>(rank)]->runStream(*gate_, training_.data, stream_start_);
    });
}

void Pipeline::admitMore(int more_to_come) {
    if (gate_->hasEnded()) return;
    const std::int64_t m = plan_.stream->microbatches(), next = (stream_iterations_ + 1) * m;
    const std::int64_t wanted = next + microbatchesAhead(), all = next + more_to_come * m;
    gate_->admit(static_cast<int>(std::min(wanted, all)));
    if (wanted >= all) gate_->end();
}

std::vector<Share> Pipeline::nextOfStream() {
    std::vector<Share> shares = gate_->await();
    if (shares.empty()) {
        join();
        throw RunFailure("The stream was stopped.", "Run again.");
    }
    Timeline latest(plan_.ranks(), clock_->provenance());
    const std::int32_t before = training_.iteration - 1;
    for (int rank = 0; rank < plan_.ranks(); ++rank) {
        for (const Event& event : ofIteration(timeline_.compute(rank), before)) latest.append(event);
        for (const Event& event : ofIteration(timeline_.receives(rank), before)) latest.append(event);
        for (const MemoryPoint& point : ofIteration(timeline_.memory(rank), before)) latest.append(point);
    }
    timeline_ = std::move(latest);
    return shares;
}

// Nothing more enters; unless that was so already, the iteration that the last admitted micro-batch belongs
// to is completed.
void Pipeline::endStream() {
    if (gate_->hasEnded()) return;
    const int m = plan_.stream->microbatches();
    gate_->admit((gate_->admitted() + m - 1) / m * m);
    gate_->end();
}

bool Pipeline::streamIsOver() const {
    return gate_->hasEnded() && stream_iterations_ * plan_.stream->microbatches() >= gate_->admitted();
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
