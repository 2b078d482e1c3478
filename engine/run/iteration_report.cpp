#include "run/iteration_report.h"

#include <numeric>

#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace bscope {

namespace {

double toMs(std::int64_t ns) {
    return static_cast<double>(ns) / 1e6;
}

}  // namespace

std::string deviceName(const Device& device, std::size_t cores) {
    return device.name() + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

std::optional<double> theoreticalBubble(const Plan& plan, const Costs& costs) {
    const Schedule& schedule = plan.program.schedule;
    if (plan.stream) return 0.0;
    const CatalogEntry* entry = findSchedule(schedule.name);
    if (entry == nullptr) return std::nullopt;
    const std::optional<double> equal = entry->bubble_of_total(schedule.params, 1, 1, 1);
    if (!equal || equal == entry->bubble_of_total(schedule.params, 1, 2, 1)) return equal;
    double f = 0, i = 0, w = 0;
    for (const StageCosts& stage : costs.stages) {
        f += stage.forward_ns;
        i += schedule.hasSplitBackward() ? stage.input_ns : stage.backward_ns / 2;
        w += schedule.hasSplitBackward() ? stage.weight_ns : stage.backward_ns / 2;
    }
    return entry->bubble_of_total(schedule.params, f, i, w);
}

IterationSummary predictedIteration(const Plan& plan, const Costs& costs) {
    if (!plan.stream) return summarize(predict(plan.program, costs), 0);
    return summarize(predict(*plan.stream, costs), plan.stream->steadyIteration());
}

IterationReport describeIteration(const Plan& plan, const Timeline& timeline, int iteration,
                                  const Costs& costs) {
    const IterationSummary measured = summarize(timeline, iteration);
    const IterationSummary predicted = predictedIteration(plan, costs);
    const Schedule& schedule = plan.program.schedule;
    const ScheduleParams& params = plan.config.params;
    const double tokens =
        static_cast<double>(params.m) * plan.config.micro_batch * plan.config.model.sequence;

    IterationReport report;
    report.iteration = iteration;
    report.schedule = schedule.name;
    report.p = params.p;
    report.m = params.m;
    report.v = params.v;
    report.recompute = plan.program.recompute;
    report.provenance = measured.provenance;
    report.iteration_ms = toMs(measured.iteration_ns);
    report.span_ms = toMs(measured.span_ns);
    report.optimizer_ms = toMs(measured.optimizer_ns);
    report.bubble_of_total = measured.bubble_of_total;
    report.bubble_of_ideal = measured.bubble_of_ideal;
    report.predicted_bubble_of_total = predicted.bubble_of_total;
    report.predicted_iteration_ms = toMs(predicted.iteration_ns);
    report.theory_bubble_of_total = theoreticalBubble(plan, costs);
    report.tokens_per_s = tokens / (static_cast<double>(measured.iteration_ns) / 1e9);
    report.costs = costs;
    for (const RankSummary& rank : measured.ranks) {
        RankReport& of_rank = report.ranks.emplace_back();
        of_rank.rank = rank.rank;
        of_rank.busy_ms = toMs(rank.busy_ns);
        of_rank.wait_ms = toMs(rank.wait_ns);
        of_rank.transfer_ms = toMs(rank.transfer_ns);
        of_rank.bubble_of_total = rank.bubble_of_total;
        of_rank.peak_activation_bytes = rank.peak_activation_bytes;
        of_rank.peak_in_flight = rank.peak_in_flight;
    }
    return report;
}

}  // namespace bscope
