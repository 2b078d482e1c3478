#include "lessons/pooled_runs.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "schedule/lowering.h"
#include "report/measured_report.h"
#include "timeline/median.h"
#include "timeline/predict.h"

namespace bscope {

namespace {

bool isSameAction(const Event& a, const Event& b) {
    return a.op == b.op && a.stage == b.stage && a.microbatch == b.microbatch;
}

bool areSameActions(const EventSlice& a, const EventSlice& b) {
    return std::ranges::equal(a, b, isSameAction);
}

// Where a moment of one row of events lies in another row of the same events: as far into the same event, or
// into the gap after it.
class Warp {
public:
    Warp(const EventSlice& from, const EventSlice& to) {
        for (std::size_t i = 0; i < from.size(); ++i) {
            add(from[i].start_ns, to[i].start_ns);
            add(from[i].end_ns, to[i].end_ns);
        }
    }
    std::int64_t operator()(std::int64_t time_ns) const {
        if (points_.empty()) return time_ns;
        const auto after = std::ranges::upper_bound(points_, time_ns, {}, &Point::from);
        if (after == points_.begin())
            return std::min(points_.front().to, points_.front().to - points_.front().from + time_ns);
        const Point& before = *(after - 1);
        if (after == points_.end()) return before.to + (time_ns - before.from);
        const double share =
            static_cast<double>(time_ns - before.from) / static_cast<double>(after->from - before.from);
        return before.to + static_cast<std::int64_t>(share * static_cast<double>(after->to - before.to));
    }

private:
    struct Point {
        std::int64_t from, to;
    };
    void add(std::int64_t from, std::int64_t to) { points_.push_back({from, to}); }
    std::vector<Point> points_;
};

}  // namespace

bool computeTheSame(const LessonRun& a, const LessonRun& b) {
    const auto work = [](const LessonRun& run) {
        const RunConfig& config = run.config;
        return std::tuple(config.model, config.micro_batch, config.layers_per_stage, config.params.p,
                          config.params.v, config.params.d, config.params.zero, config.params.t, config.params.segments,
                          config.sequence_parallel, config.recompute, config.checkpoint_every,
                          config.slow_ranks, config.device, config.dtype, config.matrix_library,
                          run.report.provenance);
    };
    return work(a) == work(b) && makeSchedule(a.config.schedule, a.config.params).placement ==
                                     makeSchedule(b.config.schedule, b.config.params).placement;
}

std::vector<StageCosts> pooledDurations(std::span<const LessonRun> iterations) {
    std::vector<StageCosts> durations;
    for (const DurationField& field : kDurationFields) {
        std::vector<std::vector<std::int64_t>> of_stage;
        for (const LessonRun& run : iterations)
            for (int rank = 0; rank < run.ran->ranks(); ++rank)
                for (const Event& event : run.ran->compute(rank)) {
                    if (event.op != field.op) continue;
                    const auto stage = static_cast<std::size_t>(event.stage);
                    if (of_stage.size() <= stage) of_stage.resize(stage + 1);
                    of_stage[stage].push_back(event.duration_ns());
                }
        if (durations.size() < of_stage.size()) durations.resize(of_stage.size());
        for (std::size_t stage = 0; stage < of_stage.size(); ++stage)
            if (!of_stage[stage].empty()) durations[stage].*field.ns = median(of_stage[stage]);
    }
    return durations;
}

std::optional<LessonRun> placedAnew(const LessonRun& run, const std::vector<StageCosts>& durations) {
    const Schedule schedule = makeSchedule(run.config.schedule, run.config.params);
    if (!run.ran || schedule.step_every > 0 || run.report.provenance != Provenance::Reconstructed ||
        run.config.params.d > 1)
        return std::nullopt;
    Costs costs = run.report.costs;
    if (costs.stages.size() != durations.size()) return std::nullopt;
    for (std::size_t stage = 0; stage < durations.size(); ++stage)
        for (const DurationField& field : kDurationFields)
            costs.stages[stage].*field.ns = durations[stage].*field.ns;
    const std::int64_t start_ns = summarize(*run.ran, run.report.iteration).start_ns;
    const Timeline placed = predict(lower(schedule, run.config.recomputedApart()), costs, Overlap::Serial,
                                    start_ns, run.report.iteration);
    if (placed.ranks() != run.ran->ranks()) return std::nullopt;

    auto anew = std::make_shared<Timeline>(placed.ranks(), Provenance::Reconstructed);
    for (int rank = 0; rank < placed.ranks(); ++rank) {
        const EventSlice before = run.ran->compute(rank), after = placed.compute(rank);
        if (!areSameActions(before, after)) return std::nullopt;
        for (std::size_t i = 0; i < before.size(); ++i) {
            Event event = before[i];
            event.start_ns = after[i].start_ns;
            event.end_ns = after[i].end_ns;
            event.transfer_ns = after[i].transfer_ns;
            anew->append(event);
        }
        for (const Event& event : placed.receives(rank)) anew->append(event);
        const Warp warp(before, after);
        for (MemoryPoint point : run.ran->memory(rank)) {
            point.time_ns = warp(point.time_ns);
            anew->append(point);
        }
    }
    LessonRun result = run;
    result.ran = anew;
    result.counted = nullptr;
    IterationReport& report = result.report;
    fillMeasured(report, summarize(*anew, report.iteration));
    report.tokens_per_s = run.report.tokens_per_s * run.report.iteration_ms / report.iteration_ms;
    return result;
}

}  // namespace bscope
