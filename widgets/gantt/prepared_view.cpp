#include "widgets/gantt/prepared_view.h"

#include <algorithm>
#include <stdexcept>

#include "schedule/catalog.h"

namespace bscope::ui {

namespace {

constexpr std::size_t kFewMemoryPoints = 4096;

std::optional<IterationSummary> summaryOf(const IterationView& view) {
    if (view.summary) return view.summary;
    try {
        return summarize(*view.ran, view.iteration);
    } catch (const std::out_of_range&) {
        return std::nullopt;  // nothing of this iteration has run yet
    }
}

std::shared_ptr<const Schedule> scheduleOf(const IterationView& view) {
    if (view.order) return view.order;
    const RunConfig& config = view.config;
    if (!scheduleProblems(config.schedule, config.params).empty()) return nullptr;
    return std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
}

}  // namespace

PreparedView::PreparedView(const IterationView& view, const PreparedView* former) : view_(view) {
    const bool same = former != nullptr && former->schedule_ && former->view_.config == view.config &&
                      former->view_.order == view.order;
    schedule_ = same ? former->schedule_ : scheduleOf(view);
    const int ranks = std::max(view_.ran->ranks(), view_.planned->ranks());
    for (int r = 0; r < view_.ran->ranks(); ++r)
        has_run_ = has_run_ || !ofIteration(view_.ran->compute(r), view_.iteration).empty();

    const std::optional<IterationSummary> summary = has_run_ ? summaryOf(view_) : std::nullopt;
    if (summary && !running()) view_.summary = summary;
    lanes_.resize(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r)
        prepareLane(r, has_run_ ? (summary ? &*summary : nullptr) : &view_.plan_summary);

    const auto ends = [](const IterationSummary& s) { return s.start_ns + s.iteration_ns; };
    const bool by_plan = !has_run_ || running() || !summary;
    compute_end_ns_ = relative(by_plan ? ends(view_.plan_summary) : ends(*summary));
    for (int r = 0; r < ranks; ++r) {
        const auto events = has_run_ && r < view_.ran->ranks() ? ran(r) : planned(r);
        if (!events.empty()) extent_ns_ = std::max(extent_ns_, relative(events.back().end_ns));
        if (r < view_.planned->ranks() && !planned(r).empty())
            extent_ns_ = std::max(extent_ns_, relative(planned(r).back().end_ns));
        for (const Event& e : events) {
            contains_[static_cast<std::size_t>(e.op)] = true;
        }
        if (r < view_.planned->ranks()) {
            for (const Event& e : planned(r)) contains_[static_cast<std::size_t>(e.op)] = true;
            has_messages_ = has_messages_ || !view_.planned->receives(r).empty();
        }
        const auto points = memory(r);
        for (const MemoryPoint& point : points)
            memory_scale_bytes_ = std::max(memory_scale_bytes_, static_cast<double>(point.live_bytes));
        if (points.size() > kFewMemoryPoints)
            lanes_[static_cast<std::size_t>(r)].memory_peaks = RangeMaximum(points);
    }
    extent_ns_ = std::max({extent_ns_, compute_end_ns_, 1.0});
    // With what is still to come, so that the axis stays where it is while an iteration grows.
    if (memory_scale_bytes_ > 0 || running())
        for (const RankSummary& rank : view_.plan_summary.ranks)
            memory_scale_bytes_ =
                std::max(memory_scale_bytes_, static_cast<double>(rank.peak_activation_bytes));
    if (memory_scale_bytes_ > 0) memory_scale_bytes_ = std::max(memory_scale_bytes_, memoryCap());
    median_forward_ns_ = view_.medianForward_ns();
}

// Ranks run ahead of one another; what lies behind the least rank clock is drawn, the rest is still to come.
std::span<const Event> PreparedView::settled(std::span<const Event> events) const {
    if (running())
        while (!events.empty() && events.back().end_ns > view_.now_ns)
            events = events.first(events.size() - 1);
    return events;
}

void PreparedView::prepareLane(int rank, const IterationSummary* summary) {
    PreparedLane& lane = lanes_[static_cast<std::size_t>(rank)];
    if (schedule_)
        for (int stage = 0; stage < schedule_->stageCount(); ++stage)
            if (schedule_->placement[static_cast<std::size_t>(stage)] == rank) lane.stages.push_back(stage);
    if (summary == nullptr || static_cast<std::size_t>(rank) >= summary->ranks.size()) return;
    const RankSummary& numbers = summary->ranks[static_cast<std::size_t>(rank)];
    if (numbers.busy_ns == 0 || (has_run_ && ran(rank).empty())) return;
    lane.started = true;
    lane.first_start_ns = numbers.first_start_ns;
    lane.last_end_ns = numbers.last_end_ns;
    lane.warm_up_end_ns = numbers.first_backward_ns;
    lane.cool_down_start_ns = numbers.last_forward_end_ns;
    if (has_run_ && running()) {  // a phase is over only when its end is a fact
        std::size_t forwards = 0, planned_forwards = 0;
        bool backwards = false;
        for (const Event& e : ran(rank)) {
            forwards += e.op == Op::Forward;
            backwards = backwards || (isCompute(e.op) && e.op != Op::Forward);
        }
        for (const Event& e : planned(rank)) planned_forwards += e.op == Op::Forward;
        if (!backwards) lane.warm_up_end_ns = view_.now_ns;
        if (forwards < planned_forwards) lane.cool_down_start_ns = view_.now_ns;
        lane.last_end_ns = view_.now_ns;
    }
    const auto first =
        std::ranges::partition_point(summary->gaps, [rank](const IdleGap& g) { return g.rank < rank; });
    for (auto gap = first; gap != summary->gaps.end() && gap->rank == rank; ++gap) {
        const bool unfinished =
            has_run_ && running() && (!gap->next || gap->end_ns > ran(rank).back().start_ns);
        if (!unfinished) lane.gaps.push_back(*gap);
    }
    if (view_.isStream()) {  // where the iterations before and after are at work nothing is idle
        const auto own = has_run_ ? ran(rank) : planned(rank);
        std::erase_if(lane.gaps, [&](const IdleGap& gap) {
            return own.empty() || gap.end_ns <= own.front().start_ns || gap.start_ns >= own.back().end_ns;
        });
    }
    collectIdle(lane);
}

void PreparedView::collectIdle(PreparedLane& lane) {
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < lane.gaps.size(); ++i) {
        const IdleGap& gap = lane.gaps[i];
        if (lane.idle.empty() || lane.idle.back().end_ns != gap.start_ns) {
            lane.idle.push_back({gap.start_ns, gap.end_ns, i, 0, gap.cause});
            longest = 0;
        }
        IdlePeriod& period = lane.idle.back();
        period.end_ns = gap.end_ns;
        ++period.gaps;
        if (gap.end_ns - gap.start_ns > longest) {
            longest = gap.end_ns - gap.start_ns;
            period.cause = gap.cause;
        }
    }
}

std::span<const Event> PreparedView::neighbour(int rank, int direction) const {
    const auto& timeline = !has_run_ && view_.isStream() ? view_.planned
                           : direction < 0               ? view_.before
                                                         : view_.after;
    if (!timeline || rank >= timeline->ranks()) return {};
    const auto events = ofIteration(timeline->compute(rank), view_.iteration + direction);
    if (direction > 0) return has_run_ ? settled(events) : events;
    const auto late =
        std::ranges::partition_point(events, [this](const Event& e) { return e.end_ns <= view_.start_ns; });
    return {late, events.end()};
}

std::span<const MemoryPoint> PreparedView::memory(int rank) const {
    if (!has_run_)
        return rank < view_.planned->ranks() ? ofIteration(view_.planned->memory(rank), view_.iteration)
                                             : std::span<const MemoryPoint>{};
    if (rank >= view_.ran->ranks()) return {};
    const auto points = ofIteration(view_.ran->memory(rank), view_.iteration);
    if (!running()) return points;
    const auto later = std::ranges::partition_point(
        points, [this](const MemoryPoint& p) { return p.time_ns <= view_.now_ns; });
    return points.first(static_cast<std::size_t>(later - points.begin()));
}

const IterationSummary* PreparedView::numbers() const {
    if (view_.numbers_hidden) return nullptr;
    if (!has_run_) return &view_.plan_summary;
    return view_.summary ? &*view_.summary : nullptr;
}

void PreparedView::shareMemoryScale(std::span<PreparedView> groups) {
    double scale_bytes = 0;
    for (const PreparedView& group : groups) scale_bytes = std::max(scale_bytes, group.memory_scale_bytes_);
    for (PreparedView& group : groups)
        if (group.memory_scale_bytes_ > 0) group.memory_scale_bytes_ = scale_bytes;
}

int PreparedView::chunkLetterOf(int stage) const {
    const ScheduleParams& params = view_.config.params;
    const int stages = schedule_ ? schedule_->stageCount() : params.stagesOfReplica() * params.d;
    return stages > params.ranks() && stage >= 0 ? view_.stageChunk(stage) : -1;
}

bool PreparedView::inLife(const Event& event, const Selection& selection) const {
    if (event.microbatch < 0 || event.microbatch != selection.action.microbatch) return false;
    if (!schedule_ || schedule_->replicas() == 1) return true;
    return schedule_->chainOf(event.stage) == schedule_->chainOf(selection.action.stage);
}

}  // namespace bscope::ui
