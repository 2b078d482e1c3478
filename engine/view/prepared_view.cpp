#include "view/prepared_view.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "timeline/places_of.h"

namespace bscope {

namespace {

constexpr std::size_t kFewMemoryPoints = 4096;
// Operations of an iteration whose causes are worked out while it is prepared: of a complete one that is done
// once, of a running one for every picture.
constexpr std::size_t kAnalysedOnce = 20'000, kAnalysedLive = 3'000;

std::optional<IterationSummary> summaryOf(const IterationView& view) {
    if (view.summary) return view.summary;
    if (!hasComputed(*view.ran, view.iteration)) return std::nullopt;  // nothing of it has run yet
    return summarize(*view.ran, view.iteration);
}

std::ptrdiff_t forwardsIn(const EventSlice& events) {
    return std::ranges::count(events, Op::Forward, &Event::op);
}

bool goesBackward(const EventSlice& events) {
    return std::ranges::any_of(events, [](const Event& e) { return isCompute(e.op) && e.op != Op::Forward; });
}

std::shared_ptr<const Schedule> scheduleOf(const IterationView& view) {
    if (view.order) return view.order;
    const RunConfig& config = view.config;
    if (!canBeMade(config.schedule, config.params)) return nullptr;
    return std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
}

}  // namespace

PreparedView::PreparedView(const IterationView& view, const PreparedView* former) : view_(view) {
    const bool same =
        former != nullptr && former->view_.config == view.config && former->view_.order == view.order;
    schedule_ = same && former->schedule_ ? former->schedule_ : scheduleOf(view);
    places_ =
        schedule_ ? StagePlaces(*schedule_) : placesOf(view_.planned->empty() ? *view_.ran : *view_.planned);
    const int ranks = std::max(view_.ran->ranks(), view_.planned->ranks());
    for (int r = 0; r < view_.ran->ranks(); ++r)
        has_run_ = has_run_ || !ofIteration(view_.ran->compute(r), view_.iteration).empty();

    std::shared_ptr<const Timeline> settled;
    const std::optional<IterationSummary> summary = !has_run_   ? std::nullopt
                                                    : running() ? summarySoFar(settled)
                                                                : summaryOf(view_);
    if (summary && !running()) view_.summary = summary;
    if (running()) so_far_ = summary;
    const IterationSummary* const own_summary =
        has_run_ ? (summary ? &*summary : nullptr) : &view_.plan_summary;
    lanes_.resize(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r) {
        prepareLane(r, own_summary);
        if (view_.isStream()) joinMemory(r);
    }
    analyse(former, settled, own_summary);

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
            std::int64_t& longest_ns = lanes_[static_cast<std::size_t>(r)].longest_planned_ns;
            for (const Event& e : planned(r)) {
                contains_[static_cast<std::size_t>(e.op)] = true;
                if (e.op != Op::OptimizerStep) longest_ns = std::max(longest_ns, e.duration_ns());
            }
            has_messages_ = has_messages_ || !view_.planned->receives(r).empty();
        }
        const auto points = memory(r);
        if (points.size() > kFewMemoryPoints)
            lanes_[static_cast<std::size_t>(r)].memory_peaks = RangeMaximum(points);
    }
    extent_ns_ = std::max({extent_ns_, compute_end_ns_, 1.0});
    prepareMemoryScale(same ? former : nullptr);
    prepareUsual();
    median_forward_ns_ = view_.medianForward_ns();
}

void PreparedView::prepareMemoryScale(const PreparedView* former) {
    const auto include = [this](const MemoryPoints& points) {
        for (const MemoryPoint& point : points)
            memory_scale_bytes_ = std::max(memory_scale_bytes_, static_cast<double>(point.live_bytes));
    };
    for (int r = 0; r < lanes(); ++r) {
        include(memory(r));
        if (r < view_.planned->ranks()) include(ofIteration(view_.planned->memory(r), view_.iteration));
        for (const CheckpointingPlan& other : view_.checkpointing)
            if (r < other.planned->ranks()) include(ofIteration(other.planned->memory(r), view_.iteration));
        const ResidentBytes of_rank = held(r);
        held_scale_bytes_ = std::max(held_scale_bytes_, static_cast<double>(of_rank.sum()));
        reserved_scale_bytes_ =
            std::max(reserved_scale_bytes_, static_cast<double>(of_rank.sum() + of_rank.reserved));
    }
    if (memory_scale_bytes_ <= 0) return;
    memory_scale_bytes_ = own_memory_scale_bytes_ =
        std::max({memory_scale_bytes_, memoryCap(), former != nullptr ? former->own_memory_scale_bytes_ : 0});
}

void PreparedView::prepareUsual() {
    UsualDurations of_plan;
    const auto include = [this](UsualDurations& durations, const EventSlice& events) {
        for (const Event& event : events) {
            durations.add(event);
            last_microbatch_ = std::max(last_microbatch_, event.microbatch);
        }
    };
    for (int r = 0; r < lanes(); ++r) {
        if (r < view_.ran->ranks()) include(usual_, ran(r));
        if (r < view_.planned->ranks()) include(of_plan, planned(r));
    }
    usual_.settle(of_plan);
}

// Ranks run ahead of one another; what lies behind the least rank clock is drawn, the rest is still to come.
EventSlice PreparedView::settled(EventSlice events) const {
    if (running())
        while (!events.empty() && events.back().end_ns > view_.now_ns)
            events = events.first(events.size() - 1);
    return events;
}

void PreparedView::prepareLane(int rank, const IterationSummary* summary) {
    PreparedLane& lane = lanes_[static_cast<std::size_t>(rank)];
    if (schedule_) lane.stages = places_.stagesOf(rank);
    if (summary == nullptr || static_cast<std::size_t>(rank) >= summary->ranks.size()) return;
    const RankSummary& numbers = summary->ranks[static_cast<std::size_t>(rank)];
    if (numbers.busy_ns == 0 || (has_run_ && ran(rank).empty())) return;
    lane.started = true;
    lane.first_start_ns = numbers.first_start_ns;
    lane.last_end_ns = numbers.last_end_ns;
    lane.warm_up_end_ns = numbers.first_backward_ns;
    lane.cool_down_start_ns = numbers.last_forward_end_ns;
    if (has_run_ && running()) lane.last_end_ns = view_.now_ns;
    const IdleGaps& gaps = summary->gaps;
    const auto first = std::ranges::partition_point(gaps, [=](const IdleGap& g) { return g.rank < rank; });
    const auto past = std::ranges::partition_point(gaps, [=](const IdleGap& g) { return g.rank <= rank; });
    const auto count = static_cast<std::size_t>(past - first);
    lane.idle = IdlePeriods(gaps, static_cast<std::size_t>(first - gaps.begin()), count);
    if (!view_.isStream()) return;
    IdleGaps apart;
    std::for_each(first, past, [&](const IdleGap& gap) {
        if (!touchesNeighbour(gap)) apart.push_back(gap);
    });
    lane.idle = IdlePeriods(apart, 0, apart.size());
}

// Of what is settled; a phase is over only when its end is a fact, and so is a gap.
std::optional<IterationSummary> PreparedView::summarySoFar(std::shared_ptr<const Timeline>& settled) const {
    auto events = std::make_shared<Timeline>(view_.ran->ranks(), view_.ran->provenance());
    for (int rank = 0; rank < view_.ran->ranks(); ++rank) {
        for (const Event& event : ran(rank)) events->append(event);
        for (const Event& event : receives(rank)) events->append(event);
    }
    settled = events;
    if (!hasComputed(*events, view_.iteration)) return std::nullopt;
    IterationSummary summary = summarize(*events, view_.iteration);
    for (RankSummary& rank : summary.ranks) {
        if (rank.rank >= view_.planned->ranks()) continue;
        const auto ran_of_it = ran(rank.rank), planned_of_it = planned(rank.rank);
        if (!goesBackward(ran_of_it) && goesBackward(planned_of_it)) rank.first_backward_ns = view_.now_ns;
        if (forwardsIn(ran_of_it) < forwardsIn(planned_of_it)) rank.last_forward_end_ns = view_.now_ns;
    }
    IdleGaps ended;
    for (IdleGap gap : summary.gaps) {
        if (!gap.next) continue;
        gap.phase = phaseOf(summary, gap.rank, gap.start_ns, gap.end_ns);
        ended.push_back(gap);
    }
    summary.gaps = std::move(ended);
    return summary;
}

// Where the iterations of a stream before and after are at work nothing is idle.
bool PreparedView::touchesNeighbour(const IdleGap& gap) const {
    for (const int direction : {-1, +1}) {
        const EventSlice events = neighbour(gap.rank, direction);
        const auto next =
            std::ranges::partition_point(events, [&gap](const Event& e) { return e.end_ns <= gap.start_ns; });
        if (next != events.end() && next->start_ns < gap.end_ns) return true;
    }
    return false;
}

void PreparedView::analyse(const PreparedView* former, const std::shared_ptr<const Timeline>& settled,
                           const IterationSummary* summary) {
    if (!schedule_ || summary == nullptr || view_.unexplained) return;
    const auto events = [](const IterationView& view) {
        return view.ran->empty() ? view.planned.get() : view.ran.get();
    };
    const bool is_known = former != nullptr && former->analysis_ && !former->running() && !running() &&
                          former->view_.iteration == view_.iteration &&
                          events(former->view_) == events(view_);
    if (view_.analysis) {
        analysis_ = view_.analysis;
    } else if (settled && has_run_ && running()) {
        std::size_t operations = 0;
        for (int rank = 0; rank < settled->ranks(); ++rank) operations += settled->compute(rank).size();
        if (operations <= kAnalysedLive) analysis_ = analysisSoFar(view_, *schedule_, settled, *summary);
    } else if (is_known) {
        analysis_ = former->analysis_;
    } else if (isAnalysedAtOnce(view_)) {
        analysis_ = analysisOf(view_, *schedule_);
    }
    if (!analysis_) return;
    const std::vector<Gap>& gaps = analysis_->causes.gaps();
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        if (gaps[i].rank >= lanes()) continue;
        IdlePeriods& idle = lanes_[static_cast<std::size_t>(gaps[i].rank)].idle;
        const auto own = std::ranges::lower_bound(idle, gaps[i].start_ns, {}, &IdlePeriod::start_ns);
        if (own != idle.end() && own->start_ns == gaps[i].start_ns)
            idle.explain(static_cast<std::size_t>(own - idle.begin()), static_cast<int>(i));
    }
}

EventSlice PreparedView::neighbour(int rank, int direction) const {
    const Timeline* timeline = neighbourTimeline(direction);
    if (timeline == nullptr || rank >= timeline->ranks()) return {};
    const auto events = ofIteration(timeline->compute(rank), view_.iteration + direction);
    if (direction > 0) return has_run_ ? settled(events) : events;
    const auto late =
        std::ranges::partition_point(events, [this](const Event& e) { return e.end_ns <= view_.start_ns; });
    return events.subspan(static_cast<std::size_t>(late - events.begin()));
}

const Timeline* PreparedView::neighbourTimeline(int direction) const {
    if (!has_run_ && view_.isStream()) return view_.planned.get();
    return direction < 0 ? view_.before.get() : view_.after.get();
}

MemoryPoints PreparedView::memory(int rank) const {
    const PackedMemory& joined = lane(rank).joined_memory;
    const auto points = joined.empty() ? ownMemory(rank) : MemoryPoints(joined, 0, joined.size());
    if (!has_run_ || !running()) return points;
    const auto later = std::ranges::partition_point(
        points, [this](const MemoryPoint& p) { return p.time_ns <= view_.now_ns; });
    return points.first(static_cast<std::size_t>(later - points.begin()));
}

MemoryPoints PreparedView::ownMemory(int rank) const {
    if (!has_run_)
        return rank < view_.planned->ranks() ? ofIteration(view_.planned->memory(rank), view_.iteration)
                                             : MemoryPoints();
    if (rank >= view_.ran->ranks()) return {};
    return ofIteration(view_.ran->memory(rank), view_.iteration);
}

void PreparedView::joinMemory(int rank) {
    std::vector<MemoryPoint> joined;
    const auto append = [&joined](const MemoryPoints& points) {
        joined.insert(joined.end(), points.begin(), points.end());
    };
    const Timeline *before = neighbourTimeline(-1), *after = neighbourTimeline(+1);
    if (before != nullptr && rank < before->ranks())
        append(ofIteration(before->memory(rank), view_.iteration - 1));
    append(ownMemory(rank));
    if (after != nullptr && rank < after->ranks())
        append(ofIteration(after->memory(rank), view_.iteration + 1));
    std::ranges::stable_sort(joined, {}, &MemoryPoint::time_ns);
    for (const MemoryPoint& point : joined)
        lanes_[static_cast<std::size_t>(rank)].joined_memory.push_back(point);
}

std::optional<double> PreparedView::changeOf(const Event& event) const {
    if (!view_.compared || !isCompute(event.op)) return std::nullopt;
    const auto other_ns = view_.compared->durations.of(view_.actionInIteration(event));
    if (!other_ns || *other_ns <= 0) return std::nullopt;
    return static_cast<double>(event.duration_ns() - *other_ns) / static_cast<double>(*other_ns);
}

const IterationSummary* PreparedView::numbers() const {
    if (view_.numbers_hidden) return nullptr;
    if (!has_run_) return &view_.plan_summary;
    return view_.summary ? &*view_.summary : nullptr;
}

const IterationSummary* PreparedView::numbersSoFar() const {
    const bool known = has_run_ && running() && so_far_ && !view_.numbers_hidden;
    return known ? &*so_far_ : numbers();
}

void PreparedView::shareMemoryScale(std::span<PreparedView> groups, std::span<const PreparedView> also) {
    double scale_bytes = 0, held_bytes = 0, reserved_bytes = 0;
    for (const std::span<const PreparedView> all : {std::span<const PreparedView>(groups), also})
        for (const PreparedView& group : all) {
            scale_bytes = std::max(scale_bytes, group.memory_scale_bytes_);
            held_bytes = std::max(held_bytes, group.held_scale_bytes_);
            reserved_bytes = std::max(reserved_bytes, group.reserved_scale_bytes_);
        }
    for (PreparedView& group : groups) {
        if (group.memory_scale_bytes_ > 0) group.memory_scale_bytes_ = scale_bytes;
        group.held_scale_bytes_ = held_bytes;
        group.reserved_scale_bytes_ = reserved_bytes;
    }
}

int PreparedView::chunkLetterOf(int stage) const {
    return places_.lettered() && stage >= 0 ? places_.of(stage).chunk : -1;
}

bool PreparedView::inLife(const Event& event, const Selection& selection) const {
    if (event.microbatch < 0 || event.microbatch != selection.action.microbatch) return false;
    // The shards of a replica compute a micro-batch together.
    const int t = view_.config.params.t;
    return places_.of(event.stage).chain / t == places_.of(selection.action.stage).chain / t;
}

bool isAnalysedAtOnce(const IterationView& view) {
    return operationsOf(view) <= kAnalysedOnce;
}

bool inColumns(std::span<const PreparedView> groups) {
    return groups.size() > 1 && groups.front().view().beside && groups.front().view().beside->in_columns;
}

TimeRange extentOf(std::span<const PreparedView> groups) {
    TimeRange all{0, 1};
    for (const PreparedView& group : groups) {
        const TimeRange own = group.extent();
        all = {std::min(all.from_ns, own.from_ns), std::max(all.to_ns, own.to_ns)};
    }
    return all;
}

bool haveMemory(const std::vector<PreparedView>& groups) {
    return std::any_of(groups.begin(), groups.end(), [](const PreparedView& group) {
        const bool may_be_covered = group.view().numbers_hidden;
        return !group.view().import && (!may_be_covered || group.memoryScale() > 0);
    });
}

}  // namespace bscope
