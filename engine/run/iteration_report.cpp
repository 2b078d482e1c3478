#include "run/iteration_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "catalog/catalog.h"
#include "clock/clock.h"
#include "timeline/analysis.h"
#include "timeline/iteration_events.h"
#include "timeline/mean_durations.h"
#include "report/measured_report.h"
#include "timeline/predict_summary.h"

namespace bscope {

std::optional<double> theoreticalBubble(const Plan& plan, const Costs& costs) {
    const Schedule& schedule = plan.program.schedule;
    if (plan.stream) return 0.0;
    return closedFormBubble(schedule, costs, plan.program.recompute);
}

IterationSummary predictedIteration(const Plan& plan, const Costs& costs) {
    return plan.stream ? predictSummary(*plan.stream, costs) : predictSummary(plan.program, costs);
}

namespace {

// What is known before anything has run.
IterationReport planned(const Plan& plan, Provenance provenance, int iteration, const Costs& costs) {
    const IterationSummary predicted = predictedIteration(plan, costs);
    IterationReport report;
    report.iteration = iteration;
    report.schedule = plan.program.schedule.name;
    fillSizes(report, plan.config);
    if (!plan.forward_only) report.recompute = plan.config.recompute;
    report.checkpoint_every = plan.config.checkpoint_every;
    report.provenance = provenance;
    report.predicted_bubble_of_total = predicted.bubble_of_total;
    report.predicted_iteration_ms = toMs(predicted.iteration_ns);
    report.theory_bubble_of_total = theoreticalBubble(plan, costs);
    report.costs = costs;
    return report;
}

IterationReport describeUntraced(const Plan& plan, Provenance provenance, int iteration, const Costs& costs,
                                 std::int64_t host_ns) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    IterationReport report = planned(plan, provenance, iteration, costs);
    report.iteration_ms = report.span_ms = toMs(host_ns);
    report.optimizer_ms = report.bubble_of_total = report.bubble_of_ideal = unknown;
    report.tokens_per_s = tokensPerSecond(plan.config, host_ns);
    for (int rank = 0; rank < plan.ranks(); ++rank) {
        RankReport& of_rank = report.ranks.emplace_back();
        of_rank.rank = rank;
        of_rank.busy_ms = of_rank.wait_ms = of_rank.transfer_ms = of_rank.bubble_of_total = unknown;
    }
    return report;
}

}  // namespace

IterationReport describeIteration(const Plan& plan, const Timeline& timeline, int iteration,
                                  const Costs& costs, std::int64_t host_ns) {
    if (timeline.empty()) return describeUntraced(plan, timeline.provenance(), iteration, costs, host_ns);
    const IterationSummary measured = summarize(timeline, iteration);
    IterationReport report = planned(plan, measured.provenance, iteration, costs);
    fillMeasured(report, measured);
    report.tokens_per_s = tokensPerSecond(plan.config, measured.iteration_ns);
    return report;
}

Costs calibratedCosts(const Plan& plan, const Calibration& calibration) {
    Costs costs;
    const bool replicated = plan.replicas() > 1;
    double reduce_ns = 0, gather_ns = 0;
    for (int stage = 0; stage < plan.stages(); ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        const auto median = [&](Op op) { return calibration.median_ns(stage, op).value_or(0.0); };
        StageCosts& costs_of_stage = costs.stages.emplace_back();
        for (const DurationField& field : kDurationFields) costs_of_stage.*field.ns = median(field.op);
        costs_of_stage.setChunk(chunkBytes(plan.activations[index]));
        if (!replicated) continue;
        const double round_ns = roundTransfer_ns(plan, stage);
        reduce_ns += median(Op::ReduceGradients) + (plan.isZero() ? 1 : 2) * round_ns;
        if (plan.isZero()) gather_ns += median(Op::GatherWeights) + round_ns;
    }
    costs.optimizer_ns = calibration.median_ns(-1, Op::OptimizerStep).value_or(0.0);
    costs.reduce_ns = reduce_ns / plan.stages();
    costs.gather_ns = gather_ns / plan.stages();
    costs.link = plan.config.link;
    costs.message_bytes = static_cast<double>(plan.messageBytes());
    return costs;
}

namespace {

// Mean over the micro-batches, chain by chain in their order: the same bits whatever the schedule, and
// whatever ran it.
double meanLoss(const Plan& plan, std::span<const RankIteration> shares) {
    double sum = 0;
    int count = 0;
    for (std::size_t chain = 0; chain < plan.program.schedule.chains.size(); ++chain)
        for (const RankIteration& share : shares)
            for (const double of_microbatch : share.losses[chain]) {
                sum += of_microbatch;
                ++count;
            }
    return sum / count;
}

// Ranks of a stream do not meet to add up a norm over all.
double gradientNorm(const Plan& plan, std::span<const RankIteration> shares) {
    if (!plan.stream) return shares.front().gradient_norm;
    double squares = 0;
    for (const RankIteration& share : shares) squares += share.gradient_norm * share.gradient_norm;
    return std::sqrt(squares);
}

}  // namespace

void addLossToReport(IterationReport& report, const Plan& plan, std::span<const RankIteration> shares) {
    report.loss = meanLoss(plan, shares);
    report.grad_norm = gradientNorm(plan, shares);
}

void addSharesToReport(IterationReport& report, std::span<const RankIteration> shares, std::int64_t host_ns) {
    report.host_ms = toMs(host_ns);
    std::int64_t recording_ns = 0, held_ns = 0;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        const RankIteration& share = shares[rank];
        report.wall_over_cpu = std::max(report.wall_over_cpu, share.wallOverCpu());
        recording_ns += share.recording_ns;
        held_ns += share.held_ns;
        RankReport& of_rank = report.ranks[rank];
        fillState(of_rank, share.weight_bytes, share.optimizer_bytes, share.stashed_weight_bytes);
        of_rank.buffer_bytes = share.buffer_bytes;
        of_rank.reserved_bytes = share.reserved_bytes;
        of_rank.launch_gap_ms = toMs(share.launch_gap_ns);
        of_rank.driver_bytes = share.driver_bytes;
        of_rank.weight_versions = share.weight_versions;
        of_rank.staleness = share.staleness;
        of_rank.throttles = share.throttles;
        addShardSums(of_rank, share.kernels);
    }
    if (report.iteration_ms > 0) report.held_share = toMs(held_ns) / report.iteration_ms;
    report.disturbed = tookLonger(report);
    report.tracing_share = static_cast<double>(recording_ns) / static_cast<double>(host_ns);
}

Timeline onlyIteration(const Timeline& timeline, int iteration) {
    Timeline only(timeline.ranks(), timeline.provenance());
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& event : ofIteration(timeline.compute(rank), iteration)) only.append(event);
        for (const Event& event : ofIteration(timeline.receives(rank), iteration)) only.append(event);
        for (const MemoryPoint& point : ofIteration(timeline.memory(rank), iteration)) only.append(point);
    }
    return only;
}

bool heldBack(std::span<const RankIteration> shares, int iteration) {
    return iteration > 0 &&
           std::ranges::any_of(shares, [](const RankIteration& share) { return share.held_back; });
}

}  // namespace bscope
