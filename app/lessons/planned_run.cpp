#include "app/lessons/planned_run.h"

#include <limits>

#include "analysis/cost_estimate.h"
#include "shape/config_shape.h"
#include "timeline/mean_durations.h"
#include "report/measured_report.h"
#include "report/traffic.h"

namespace bscope::ui {

std::optional<LessonRun> plannedRun(const IterationView& plan) {
    if (!plan.order || plan.planned->empty() || plan.order->step_every > 0) return std::nullopt;
    const RunConfig& config = plan.config;
    const Schedule& schedule = *plan.order;
    LessonRun run{.config = config, .report = {}, .ran = plan.planned};
    IterationReport& report = run.report;
    fillMeasured(report, plan.plan_summary);
    report.schedule = config.schedule;
    fillSizes(report, config);
    report.provenance = Provenance::Predicted;
    report.tokens_per_s = plan.planned_tokens_per_s;
    report.loss = std::numeric_limits<double>::quiet_NaN();
    report.theory_bubble_of_total =
        closedFormBubble(schedule, estimateCosts(config, schedule, nullptr), config.recomputedApart());
    const std::vector<std::int64_t> weights = weightsOfRanks(config, schedule),
                                    optimizer = optimizerOfRanks(config, schedule);
    const std::vector<RankTraffic> traffic = countTraffic(config, schedule);
    const std::vector<double> sums_ns = shardSums_ns(config, schedule, *plan.planned);
    for (RankReport& rank : report.ranks) {
        const auto index = static_cast<std::size_t>(rank.rank);
        rank.shards_bytes = traffic.at(index).shards;
        rank.shards_transfer_ms = sums_ns.at(index) / 1e6;
        fillState(rank, weights.at(index), optimizer.at(index));
    }
    return run;
}

}  // namespace bscope::ui
