#include "run/pipeline.h"

#include <algorithm>
#include <utility>

#include "clock/thread_time.h"
#include "kernels/cpu/cpu_device.h"
#include "rank/recorder.h"
#include "run/iteration_report.h"

namespace bscope {

Pipeline::Pipeline(Workload& workload, const Plan& plan, std::unique_ptr<WorkerGroup> workers,
                   RunObserver& observer)
    : workload_(workload),
      plan_(plan),
      workers_(std::move(workers)),
      provenance_(workers_->facts().provenance),
      observer_(observer) {}

IterationStart Pipeline::describe(std::int64_t start_ns) const {
    return {workload_.nextIteration(),
            plan_.config,
            provenance_,
            start_ns,
            workers_->facts().device,
            plan_.program.schedule.placement,
            plan_.layers_per_stage,
            std::make_shared<const Schedule>(plan_.program.schedule)};
}

int Pipeline::iterationsAhead() const {
    return plan_.stream ? bscope::iterationsAhead(*plan_.stream) : 0;
}

IterationReport Pipeline::iterate(std::int64_t start_ns, int more_to_come) {
    if (!streams()) begin(start_ns);
    if (streams()) workers_->admit(intake_->forNext(more_to_come));
    return next();
}

std::vector<IterationReport> Pipeline::drain() {
    std::vector<IterationReport> reports;
    if (!streams()) return reports;
    workers_->admit(intake_->forNoMore());
    while (streams()) reports.push_back(next());
    return reports;
}

void Pipeline::begin(std::int64_t start_ns) {
    Work work = workload_.nextWork(plan_);
    work.start_ns = start_ns;
    workers_->begin(std::move(work));
    start_ns_ = start_ns;
    timeline_ = Timeline(plan_.ranks(), provenance_);
    if (!plan_.stream) return;
    intake_.emplace(*plan_.stream);
    host_end_ns_ = monotonic_ns();
}

IterationReport Pipeline::next() {
    const std::vector<RankIteration> shares = workers_->next();
    const WorkerGroupFacts facts = workers_->facts();
    reportRest(shares);
    std::int64_t host_ns = facts.run_ns;
    if (streams()) {
        const std::int64_t host_start_ns = std::exchange(host_end_ns_, monotonic_ns());
        host_ns = host_end_ns_ - host_start_ns;
        timeline_ = onlyIteration(timeline_, workload_.nextIteration() - 1);
    }
    return report(shares, facts, host_ns);
}

// What was not reported live. Of a stream everything is settled then up to where the rank that is behind all
// others has ended the iteration.
void Pipeline::reportRest(const std::vector<RankIteration>& shares) {
    constexpr std::size_t kBatch = Recorder::kBatch;
    std::int64_t settled_ns = shares.front().end_ns;
    bool any = false;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const int rank = static_cast<int>(i);
        const RankIteration& share = shares[i];
        const std::span<const Event> events = std::span(share.events).subspan(share.reported_events);
        const std::span<const MemoryPoint> memory = std::span(share.memory).subspan(share.reported_memory);
        for (std::size_t at = 0; at < events.size(); at += kBatch)
            observer_.events(rank, events.subspan(at, std::min(kBatch, events.size() - at)));
        for (std::size_t at = 0; at < memory.size(); at += kBatch)
            observer_.memory(rank, memory.subspan(at, std::min(kBatch, memory.size() - at)));
        for (auto at = share.kernels.begin(); at != share.kernels.end();) {
            const auto end = std::find_if(at, share.kernels.end(), [&](const KernelEvent& kernel) {
                return kernel.iteration != at->iteration;
            });
            observer_.kernels(rank, {at, end});
            at = end;
        }
        any = any || !events.empty();
        settled_ns = std::min(settled_ns, share.end_ns);
    }
    if (any && streams()) observer_.watermark(settled_ns);
}

// What an iteration says, and the workload is one iteration further.
IterationReport Pipeline::report(const std::vector<RankIteration>& shares, const WorkerGroupFacts& facts,
                                 std::int64_t host_ns) {
    end_ns_ = 0;
    for (const RankIteration& share : shares) {
        for (const Event& event : share.events) timeline_.append(event);
        for (const MemoryPoint& point : share.memory) timeline_.append(point);
        end_ns_ = std::max(end_ns_, share.end_ns);
        calibration_.add(share.samples);
    }
    calibration_.endIteration();
    const Costs costs = calibratedCosts(plan_, calibration_);
    IterationReport report =
        describeIteration(plan_, timeline_, workload_.nextIteration(), costs, end_ns_ - start_ns_);
    report.device = facts.device;
    if (plan_.config.device != DeviceChoice::Cuda) report.matrix_products = productsName(plan_.products());
    report.clock_residual_us = facts.clock_residual_us;
    addSharesToReport(report, shares, host_ns);
    if (facts.tracing) {
        report.timing = facts.tracing->timing;
        report.tracing_cost = facts.tracing->cost;
        report.dropped_events += facts.tracing->lost_records;
    }
    bool is_over = true;
    if (streams()) {
        const bool measured = provenance_ == Provenance::Measured;
        if (measured && heldBack(shares, intake_->done())) report.disturbed = true;
        intake_->iterationIsDone();
        is_over = intake_->isOver();
        if (is_over) intake_.reset();
    }
    if (is_over) observer_.watermark(end_ns_);
    workload_.complete(plan_, shares, report);
    return report;
}

}  // namespace bscope
