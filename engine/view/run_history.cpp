#include "view/run_history.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "analysis/causes.h"
#include "catalog/catalog.h"
#include "timeline/iteration_events.h"
#include "timeline/stream_pieces.h"
#include "words/number_text.h"

namespace bscope {

namespace {
// A report of every rank there is.
bool isOf(const IterationReport& report, const RunConfig& config) {
    const ScheduleParams& params = config.params;
    if (report.p != params.p || report.d != params.d || report.t != params.t || report.m != params.m ||
        report.v != params.v || report.segments != params.segments)
        return false;
    if (report.ranks.size() != static_cast<std::size_t>(params.layout().world())) return false;
    for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
        if (report.ranks[rank].rank != static_cast<int>(rank)) return false;
    return true;
}

}  // namespace

std::string groupName(const RunConfig& config) {
    const ScheduleParams& params = config.params;
    std::string name =
        titleOf(config.schedule) + " · p=" + std::to_string(params.p) + " m=" + std::to_string(params.m);
    if (params.v > 1) name += " v=" + std::to_string(params.v);
    if (params.d > 1) name += " d=" + std::to_string(params.d);
    if (params.zero > 0) name += " ZeRO-" + std::to_string(params.zero);
    if (params.t > 1) name += " t=" + std::to_string(params.t);
    if (params.segments > 1) name += " q=" + std::to_string(params.segments);
    if (config.sequence_parallel) name += " SP";
    if (config.recompute != Recompute::None) name += std::string(" AC=") + toText(config.recompute);
    if (config.recomputesInBackward()) name += std::string("/") + toText(config.checkpoint_every);
    for (const auto& [rank, factor] : config.slow_ranks)
        name += " r" + std::to_string(rank) + "×" + shortText(factor, 6);
    return name;
}

void RunHistory::startRefused() {
    start_.reset();
}

void RunHistory::iterationStarted(const IterationStart& start) {
    if (std::exchange(resuming_, false) && isKnown(start)) {
        if (!records_.empty() && !records_.back().report)
            dropFrom(records_.back().iteration);  // it is sent again
    } else {
        dropFrom(start.iteration);  // a new run counts from the beginning again
        notes_.startedFrom(start.iteration);
    }
    start_ = std::make_shared<const IterationStart>(start);
    watermark_ns_ = start.start_ns;
}

void RunHistory::dropFrom(std::int32_t iteration) {
    series_of_ = {-1, -1};
    while (!records_.empty() && records_.back().iteration >= iteration) {
        held_events_ -= records_.back().events;
        forgetKernels(records_.back());
        records_.pop_back();
    }
    while (!bars_.empty() && bars_.back().iteration >= iteration) bars_.pop_back();
}

bool RunHistory::isKnown(const IterationStart& start) const {
    return std::any_of(records_.begin(), records_.end(), [&](const Record& record) {
        return record.start->iteration == start.iteration && record.start->start_ns == start.start_ns &&
               record.start->config == start.config;
    });
}

void RunHistory::events(std::span<const Event> events) {
    for (const Event& event : events) {
        Record* record = open(event.iteration);
        if (!record || event.stage >= record->start->schedule->stageCount()) {
            ++misfits_;
            continue;
        }
        if (record->report) continue;  // sent again to a viewer that has reconnected
        try {
            record->ran->append(event);
        } catch (const std::invalid_argument&) {
            ++misfits_;
            continue;
        }
        if (isCompute(event.op) && (!record->computes || event.start_ns < record->start_ns)) {
            record->computes = true;
            record->start_ns = event.start_ns;
            record->plan.reset();
        }
        ++record->events;
        ++held_events_;
    }
}

void RunHistory::memory(std::span<const MemoryPoint> points) {
    for (const MemoryPoint& point : points) {
        Record* record = open(point.iteration);
        try {
            if (!record)
                ++misfits_;
            else if (!record->report)
                record->ran->append(point);
        } catch (const std::invalid_argument&) {
            ++misfits_;
        }
    }
}

void RunHistory::kernels(const KernelPart& part) {
    if (part.kernels.empty()) return;
    // After its boxes; in a stream also after its report. A viewer that has just attached has no record of
    // that iteration, and one that has reconnected may have these kernels already.
    Record* record = find(part.kernels.front().iteration);
    if (!record || record->kernels_forgotten) return;
    if (record->report && record->kernels && record->kernels->knows(part)) return;
    if (!record->kernels) record->kernels = std::make_shared<KernelLog>();
    record->kernels->append(part);
    held_kernels_ += part.kernels.size();
}

void RunHistory::iterationFinished(const IterationReport& report) {
    if (start_ && report.iteration < start_->iteration) {
        // A viewer that attaches late is sent the reports of iterations before the start in force: a bar, no
        // picture.
        RunConfig config = start_->config;
        config.schedule = report.schedule;
        config.params = report.params();
        config.sequence_parallel = report.sequence_parallel;
        config.recompute = report.recompute;
        config.checkpoint_every = report.checkpoint_every;
        return addBar(report, config, -1);
    }
    Record* record = open(report.iteration);
    if (!record || record->report) return;
    if (!isOf(report, record->start->config)) {
        ++misfits_;
        return;
    }
    record->report = report;
    record->report->costs.link = record->start->config.link;
    record->plan.reset();
    if (const Record* before = find(report.iteration - 1)) record->before = before->ran;
    known_ = KnownCosts{record->start->config, record->report->costs, record->start->schedule};
    slowness_of_ = report.iteration;
    promises_.ran(*record->start, report);
    addBar(report, record->start->config, record->start->iteration);
    forgetOldest();
}

const KnownCosts* RunHistory::knownCosts() const {
    if (!known_) return nullptr;
    const Record* record = find(std::exchange(slowness_of_, -1));
    // Of what is small enough not to be noticed. A stream's iteration is not known without its neighbours.
    constexpr std::size_t most = 20'000;
    const long cells = known_->config.params.cells();
    if (!record || cells > static_cast<long>(most) || !summaryOf(*record)) return &*known_;
    const Schedule order =
        known_->order ? *known_->order : makeSchedule(known_->config.schedule, known_->config.params);
    if (order.step_every > 0) return &*known_;
    RunFacts facts = factsOf(*record->start, *record->report);
    facts.series = seriesOf(*record);
    const BubbleCauses causes(*record->ran, record->iteration, facts);
    for (int rank = 0; rank < causes.graph().ranks(); ++rank)
        known_->slowness.push_back(causes.usual().slowness(rank));
    if (!record->start->import) known_->learnPassing(*record->ran, record->iteration);
    return &*known_;
}

void RunHistory::clear() {
    RunHistory empty;
    empty.setFile(file_);
    *this = std::move(empty);
}

std::int32_t RunHistory::newest() const {
    return records_.empty() ? -1 : records_.back().iteration;
}

std::int32_t RunHistory::newestComplete() const {
    const auto complete = std::find_if(records_.rbegin(), records_.rend(),
                                       [](const Record& r) { return r.report.has_value(); });
    return complete == records_.rend() ? -1 : complete->iteration;
}

std::int32_t RunHistory::neighbour(std::int32_t iteration, int step) const {
    std::int32_t nearest = iteration;
    for (const Record& record : records_) {
        if (step < 0 && record.iteration < iteration) nearest = record.iteration;
        if (step > 0 && record.iteration > iteration) return record.iteration;
    }
    return nearest;
}

const RunHistory::Record* RunHistory::find(std::int32_t iteration) const {
    const auto at =
        std::lower_bound(records_.begin(), records_.end(), iteration,
                         [](const Record& record, std::int32_t i) { return record.iteration < i; });
    return at != records_.end() && at->iteration == iteration ? &*at : nullptr;
}

RunHistory::Record* RunHistory::find(std::int32_t iteration) {
    return const_cast<Record*>(std::as_const(*this).find(iteration));
}

// The record of an iteration, begun when it is new; null for one that was dropped or has no start.
RunHistory::Record* RunHistory::open(std::int32_t iteration) {
    if (Record* known = find(iteration)) return known;
    if (!start_ || iteration < start_->iteration ||
        (!records_.empty() && iteration < records_.back().iteration))
        return nullptr;
    Record record;
    record.iteration = iteration;
    record.start = start_;
    record.ran = std::make_shared<Timeline>(start_->config.params.layout().world(), start_->provenance);
    record.start_ns = std::max(start_->start_ns, watermark_ns_);
    records_.push_back(std::move(record));
    forgetOldest();
    return &records_.back();
}

void RunHistory::addBar(const IterationReport& report, const RunConfig& config, std::int32_t since) {
    if (!bars_.empty() && bars_.back().iteration >= report.iteration) return;
    if (!report.isTraced()) return;  // there is nothing to show
    bars_.push_back({report.iteration, report.iteration_ms, report.bubble_of_total, report.loss,
                     groupName(config), disturbanceOf(report), report.provenance == Provenance::Imported,
                     since, throttlesOf(report), config.link.transferNs(report.costs.message_bytes)});
}

void RunHistory::forgetOldest() {
    while (records_.size() > kKeptIterations || (held_events_ > kKeptEvents && records_.size() > 2)) {
        held_events_ -= records_.front().events;
        forgetKernels(records_.front());
        records_.pop_front();
    }
    for (auto record = records_.begin(); held_kernels_ > kKeptKernels && std::next(record) != records_.end();
         ++record)
        forgetKernels(*record);
}

void RunHistory::forgetKernels(Record& record) {
    if (!record.kernels) return;
    held_kernels_ -= record.kernels->size();
    record.kernels.reset();
    record.kernels_forgotten = true;
}

const PlannedIteration& RunHistory::planOf(const Record& record) const {
    if (!record.plan) {
        const RunConfig& config = record.start->config;
        const Schedule& order = *record.start->schedule;
        Costs costs =
            record.start->import ? record.start->import->costs : estimateCosts(config, order, knownCosts());
        costs.stages.resize(order.placement.size());
        if (record.report && record.report->costs.stages.size() == costs.stages.size())
            costs = record.report->costs;
        const auto first = firstOfStream(*record.ran);
        record.plan = planIteration(config, order, costs, record.start_ns, record.iteration,
                                    first ? first->microbatch : 0, first ? first->weight_version : -1);
    }
    return *record.plan;
}

// All its operations are there: none was dropped, and the viewer was attached from its beginning.
bool RunHistory::hasAllOperations(const Record& record) const {
    const Timeline& planned = *planOf(record).timeline;
    if (planned.empty()) return false;
    for (int rank = 0; rank < planned.ranks(); ++rank)
        if (record.ran->compute(rank).size() < ofIteration(planned.compute(rank), record.iteration).size())
            return false;
    return true;
}

// As an engine counted it that saw everything. A stream's last iteration has fewer operations than any other.
bool RunHistory::matchesReport(const Record& record) const {
    constexpr double kSame = 1e-6;
    return record.computes &&
           std::abs(sumOf(record).bubble_of_total - record.report->bubble_of_total) < kSame;
}

// A stream's ranks are idle from the end of what they did of the iteration before.
IterationSummary RunHistory::sumOf(const Record& record) const {
    if (!record.summed_events)
        record.summed_events = record.before && continues(*record.before, *record.ran)
                                   ? joined(*record.before, *record.ran)
                                   : record.ran;
    return summarize(*record.summed_events, record.iteration);
}

const std::optional<IterationSummary>& RunHistory::summaryOf(const Record& record) const {
    if (!record.report || std::exchange(record.summed, true)) return record.summary;
    if (hasAllOperations(record) || matchesReport(record)) record.summary = sumOf(record);
    return record.summary;
}

RunFacts RunHistory::factsOf(const IterationStart& start, const IterationReport& report) {
    const Schedule order =
        start.schedule ? *start.schedule : makeSchedule(start.config.schedule, start.config.params);
    return factsOfIteration(order, start, report);
}

std::optional<RunHistory::Ran> RunHistory::ran(std::int32_t iteration) const {
    const Record* record = find(iteration);
    if (!record || !record->report || !record->computes) return std::nullopt;
    const auto first = firstOfStream(*record->ran);
    return Ran{record->start, record->ran, first ? first->microbatch : 0, first.has_value(),
               &*record->report};
}

// Of a running iteration, of the newest complete one of its configuration.
std::vector<ResidentBytes> RunHistory::heldOf(const Record& record) const {
    const auto newest = std::find_if(records_.rbegin(), records_.rend(), [&](const Record& other) {
        return other.report && other.start->config == record.start->config;
    });
    const Record* source = record.report ? &record : newest != records_.rend() ? &*newest : nullptr;
    std::vector<ResidentBytes> held;
    if (!source || source->start->import) return held;
    for (const RankReport& rank : source->report->ranks)
        held.push_back({rank.weight_bytes, rank.gradient_bytes, rank.optimizer_bytes, rank.buffer_bytes,
                        rank.reserved_bytes});
    return held;
}

// The newest ones that ran under its start, complete and kept. Null of a stream, whose iterations are not
// known without their neighbours, and of very large iterations.
SharedSeries RunHistory::seriesOf(const Record& record) const {
    if (!record.start->schedule || record.start->schedule->step_every > 0) return nullptr;
    const auto belongs = [&](const Record& other) {
        return other.start == record.start && other.report && other.computes;
    };
    const auto newest = std::find_if(records_.rbegin(), records_.rend(), belongs);
    if (newest == records_.rend()) return nullptr;
    const std::pair of{record.start->iteration, newest->iteration};
    if (of == series_of_) return series_;
    SeriesMedians medians;
    for (auto each = newest; each != records_.rend() && medians.size() < kSeriesIterations; ++each) {
        if (!belongs(*each) || operationsOf(*each->ran, each->iteration) > kMostOfSeries) continue;
        if (!each->medians)
            each->medians = iterationMedians(*each->ran, each->iteration,
                                             each->ran->provenance() == Provenance::Measured);
        medians.push_back(*each->medians);
    }
    series_of_ = of;
    return series_ = bscope::seriesOf(std::move(medians), record.start->import != nullptr);
}

std::optional<IterationView> RunHistory::view(std::int32_t iteration) const {
    const Record* record = find(iteration);
    if (!record) return std::nullopt;
    const PlannedIteration& plan = planOf(*record);
    IterationView view;
    view.config = record->start->config;
    view.order = record->start->schedule;
    view.iteration = iteration;
    view.start_ns = record->start_ns;
    view.ran = record->ran;
    view.planned = plan.timeline;
    const auto first = plan.stream ? firstOfStream(*record->ran) : std::nullopt;
    view.first_microbatch = first ? first->microbatch : plan.stream ? 0 : -1;
    const auto overlaps = [&](const Record* earlier, const Record* later) {
        return plan.stream && earlier && later && continues(*earlier->ran, *later->ran) &&
               earlier->ran->end_ns() > later->start_ns;
    };
    if (const Record* before = find(iteration - 1); overlaps(before, record)) view.before = before->ran;
    if (const Record* after = find(iteration + 1); overlaps(record, after)) view.after = after->ran;
    view.now_ns = record->report ? -1 : std::max(watermark_ns_, record->start_ns);
    view.summary = summaryOf(*record);
    if (view.summary) record->plan->summary.gaps = {};  // its own are there in their place
    view.summed = record->summed_events;
    view.report = record->report;
    view.held = heldOf(*record);
    view.series = seriesOf(*record);
    constexpr int kCalibration = 8;  // Calibration::kIterations of the engine
    if (view.config.durations == Durations::Calibrated && !record->start->import)
        view.calibrated_over = std::clamp(iteration - record->start->iteration, 0, kCalibration);
    view.plan_summary = plan.summary;
    view.planned_tokens_per_s = plan.tokens_per_s;
    view.kernels = record->kernels;
    view.kernels_forgotten = record->kernels_forgotten;
    view.device = record->start->device;
    view.layers_per_stage = record->start->layers_per_stage.size() == plan.layers_per_stage.size()
                                ? record->start->layers_per_stage
                                : plan.layers_per_stage;
    view.work_per_stage = plan.work_per_stage;
    view.import = record->start->import;
    if (view.import) {  // no model is known
        view.layers_per_stage.clear();
        view.work_per_stage.clear();
        view.planned_tokens_per_s = 0;
    }
    view.recording = !file_.empty();
    view.file = file_;
    view.iteration_state = view.recording ? IterationState::Replayed : IterationState::Live;
    view.costs_measured = usesMeasured(view.config, knownCosts());
    return view;
}

}  // namespace bscope
