// A run made by hand: the plan of a configuration played as if it had run, as the messages that an engine
// streams or as a recording. Deterministic: every number in it is known.
#pragma once

#include <QString>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

#include "analysis/planned_iteration.h"
#include "catalog/catalog.h"
#include "shape/config_shape.h"
#include "timeline/iteration_events.h"
#include "report/measured_report.h"
#include "wire/convert.h"
#include "wire/frame.h"
#include "wire/recording.h"

namespace bscope {

inline IterationStart playedStart(const RunConfig& config, int iteration, std::int64_t start_ns) {
    IterationStart start;
    start.config = config;
    start.iteration = iteration;
    start.start_ns = start_ns;
    start.provenance = Provenance::Reconstructed;
    start.device = "CPU, 2 cores";
    if (problems(config).empty())
        start.schedule = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
    return start;
}

// How what ran differs from the costs.
using CostsChange = std::function<void(Costs&)>;

// Of one iteration, from start_ns to *end_ns; the last is its report, if it has one.
inline std::vector<wire::Message> playedMessages(const RunConfig& config, int iteration,
                                                 std::int64_t start_ns, bool report, std::int64_t* end_ns,
                                                 const CostsChange& oddity = {}) {
    const Costs costs = estimateCosts(config, nullptr);
    Costs odd = costs;
    if (oddity) oddity(odd);
    const PlannedIteration plan = planIteration(config, odd, start_ns, iteration);
    const auto timeline = plan.stream ? aloneOf(*plan.timeline, iteration) : plan.timeline;
    std::vector<wire::Message> messages;
    for (int rank = 0; rank < timeline->ranks(); ++rank) {
        for (const auto row : {timeline->compute(rank), timeline->receives(rank)}) {
            if (row.empty()) continue;
            *messages.emplace_back().mutable_events() = toWire(rank, std::vector(row.begin(), row.end()));
        }
        const auto points = timeline->memory(rank);
        if (!points.empty())
            *messages.emplace_back().mutable_memory() =
                toWire(rank, std::vector(points.begin(), points.end()));
    }
    *end_ns = timeline->end_ns();
    messages.emplace_back().mutable_watermark()->set_time_ns(*end_ns);
    if (!report) return messages;
    IterationReport reported;
    reported.iteration = iteration;
    reported.schedule = config.schedule;
    fillSizes(reported, config);
    if (!makeSchedule(config.schedule, config.params).isForwardOnly()) reported.recompute = config.recompute;
    reported.checkpoint_every = config.checkpoint_every;
    reported.provenance = Provenance::Reconstructed;
    reported.device = "CPU, 2 cores";
    const IterationSummary summary = summarize(*timeline, iteration);
    fillMeasured(reported, summary);
    reported.host_ms = 500;
    reported.tokens_per_s = tokensPerSecond(config, summary.iteration_ns);
    const IterationSummary predicted = planIteration(config, costs).summary;
    reported.predicted_bubble_of_total = predicted.bubble_of_total;
    reported.predicted_iteration_ms = toMs(predicted.iteration_ns);
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    const std::vector<std::int64_t> weights = weightsOfRanks(config, schedule),
                                    optimizer = optimizerOfRanks(config, schedule);
    for (std::size_t rank = 0; rank < reported.ranks.size(); ++rank)
        fillState(reported.ranks[rank], weights[rank], optimizer[rank]);
    reported.loss = 5.5 / (1.0 + 0.1 * iteration);
    reported.costs = costs;
    *messages.emplace_back().mutable_iteration_report() = toWire(reported);
    return messages;
}

// A recording of that many whole iterations.
inline void recordPlayed(const QString& path, const RunConfig& config, int iterations,
                         const CostsChange& oddity = {}) {
    RecordingWriter writer(path.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
    wire::Message start;
    *start.mutable_iteration_start() = toWire(playedStart(config, 0, 0));
    writer.write(encode(start));
    std::int64_t end_ns = 0;
    for (int i = 0; i < iterations; ++i)
        for (const auto& message : playedMessages(config, i, end_ns, true, &end_ns, oddity))
            writer.write(encode(message));
}

}  // namespace bscope
