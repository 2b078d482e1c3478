#include "analysis/planned_iteration.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "schedule/weight_versions.h"
#include "shape/config_shape.h"
#include "timeline/iteration_events.h"
#include "report/measured_report.h"
#include "timeline/predict.h"

namespace bscope {
namespace {

// The steady iteration of the stream becomes `iteration` and starts at start_ns.
Timeline planStream(const Schedule& schedule, const RunConfig& config, const Costs& costs,
                    std::int64_t start_ns, std::int32_t iteration, std::int32_t first_microbatch,
                    std::int32_t first_version) {
    const EndlessStream stream(schedule, config.params.m, config.recomputedApart());
    const Timeline played = predict(stream, costs);
    const std::int32_t later = iteration - stream.steadyIteration();
    std::int64_t first_ns = played.end_ns();
    for (int rank = 0; rank < played.ranks(); ++rank)
        for (const Event& event : ofIteration(played.compute(rank), stream.steadyIteration()))
            first_ns = std::min(first_ns, event.start_ns);
    const auto on_last = ofIteration(played.compute(played.ranks() - 1), stream.steadyIteration());
    const auto backward = std::ranges::find(on_last, Op::Backward, &Event::op);
    const std::int32_t first_played = backward == on_last.end() ? 0 : backward->microbatch;
    const auto versionOf = [&](const Event& event) {
        return versionRead(stream.piece().schedule, event.rank, event.microbatch);
    };
    const bool shifts = first_version >= 0 && backward != on_last.end();
    const std::int32_t newer = shifts ? first_version - versionOf(*backward) : 0;

    Timeline timeline(played.ranks(), played.provenance());
    const auto shifted = [&](Event event) {
        if (event.microbatch >= 0 && isCompute(event.op))
            event.weight_version = versionOf(event) + newer;
        else
            event.weight_version = kNoVersion;
        for (std::int64_t* time : {&event.start_ns, &event.end_ns, &event.transfer_ns})
            *time += start_ns - first_ns;
        event.iteration += later;
        if (event.microbatch >= 0) event.microbatch += first_microbatch - first_played;
        return event;
    };
    for (int rank = 0; rank < played.ranks(); ++rank) {
        for (const Event& event : played.compute(rank)) timeline.append(shifted(event));
        for (const Event& event : played.receives(rank)) timeline.append(shifted(event));
        for (MemoryPoint point : played.memory(rank)) {
            point.time_ns += start_ns - first_ns;
            point.iteration += later;
            timeline.append(point);
        }
    }
    return timeline;
}

}  // namespace

PlannedIteration planIteration(const RunConfig& config, const Costs& costs, std::int64_t start_ns,
                               std::int32_t iteration, std::int32_t first_microbatch,
                               std::int32_t first_version) {
    return planIteration(config, makeSchedule(config.schedule, config.params), costs, start_ns, iteration,
                         first_microbatch, first_version);
}

PlannedIteration planIteration(const RunConfig& config, const Schedule& schedule, const Costs& costs,
                               std::int64_t start_ns, std::int32_t iteration, std::int32_t first_microbatch,
                               std::int32_t first_version) {
    PlannedIteration plan;
    plan.stream = schedule.step_every > 0;
    try {
        plan.timeline = std::make_shared<const Timeline>(
            plan.stream
                ? planStream(schedule, config, costs, start_ns, iteration, first_microbatch, first_version)
                : predict(lower(schedule, config.recomputedApart()), costs, Overlap::Serial, start_ns,
                          iteration));
    } catch (const TimesDoNotFit&) {
        plan.timeline = std::make_shared<const Timeline>(schedule.params.layout().world(), Provenance::Predicted);
    }
    if (!plan.timeline->empty()) plan.summary = summarize(*plan.timeline, iteration);
    if (plan.summary.iteration_ns > 0) plan.tokens_per_s = tokensPerSecond(config, plan.summary.iteration_ns);
    plan.layers_per_stage = blocksOfStages(config, schedule);
    plan.work_per_stage = workOfStages(config, schedule);
    return plan;
}

}  // namespace bscope
