#include "import/imported_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "catalog/catalog.h"
#include "import/clock_alignment.h"
#include "import/trace/import_error.h"
#include "import/inferred_run.h"
#include "import/neighbours.h"
#include "import/numbering.h"
#include "import/one_recording.h"
#include "import/part_of_pipeline.h"
#include "import/passes.h"
#include "import/possible.h"
#include "import/range_ends.h"
#include "import/settings_changed.h"
#include "import/start_up.h"
#include "import/unnamed_work.h"
#include "timeline/analysis.h"
#include "timeline/mean_durations.h"
#include "report/measured_report.h"
#include "timeline/median.h"
#include "timeline/passing_costs.h"
#include "timeline/predict_summary.h"
#include "words/number_text.h"

namespace bscope {
namespace {

using Orders = std::vector<std::vector<Action>>;

// The orders of one iteration. Two halves of one cell stay a cell where nothing was read between them.
Orders ordersOf(const TracedRun& run, int iteration) {
    Orders orders;
    for (const TracedRank& rank : run.ranks) {
        auto& order = orders.emplace_back();
        const TracedOp* before = nullptr;
        const auto keepCell = [&](bool next_is_its_half) {
            if (before != nullptr) order.back().overlaps_next = before->overlaps_next && next_is_its_half;
        };
        for (const TracedOp& op : ofIteration(rank.ops, iteration)) {
            if (!isCompute(op.op) || op.op == Op::Recompute) continue;
            keepCell(op.overlaps_before);
            order.push_back({op.stage, op.op, op.microbatch});
            before = &op;
        }
        keepCell(false);
    }
    return orders;
}

bool recomputes(const TracedRun& run) {
    return std::any_of(run.ranks.begin(), run.ranks.end(), [](const TracedRank& rank) {
        return std::any_of(rank.ops.begin(), rank.ops.end(),
                           [](const TracedOp& op) { return op.op == Op::Recompute; });
    });
}

Schedule scheduleOf(TracedRun& run, const Numbering& numbering) {
    Schedule schedule;
    schedule.params.p = run.p;
    schedule.params.v = run.v;
    schedule.params.m = run.m;
    schedule.placement = numbering.placement;
    auto& chain = schedule.chains.emplace_back();
    for (int stage = 0; stage < schedule.stageCount(); ++stage) chain.push_back(stage);
    // The order that most iterations have, of as many the first.
    struct Alike {
        Orders orders;
        int first = 0, count = 0;
    };
    std::vector<Alike> all;
    for (const int iteration : numbering.iterations) {
        Orders orders = ordersOf(run, iteration);
        const auto same = std::ranges::find(all, orders, &Alike::orders);
        if (same == all.end())
            all.push_back({std::move(orders), iteration, 1});
        else
            ++same->count;
    }
    Alike& usual = *std::ranges::max_element(all, {}, &Alike::count);
    const int other = static_cast<int>(numbering.iterations.size()) - usual.count;
    if (other > 0)
        run.notes.push_back(
            other == 1 ? sentence("the order of 1 iteration differs from that of iteration {0}", usual.first)
                       : sentence("the orders of {0} iterations differ from that of iteration {1}", other,
                                  usual.first));
    schedule.orders = std::move(usual.orders);
    return schedule;
}

// What another rank made for an operation.
struct Source {
    int stage = -1;
    Op message = Op::RecvForward;
};

std::optional<Source> sourceOf(const Schedule& schedule, const TracedOp& op) {
    if (!isCompute(op.op) || op.op == Op::BackwardWeight || op.op == Op::Recompute) return std::nullopt;
    const bool forward = op.op == Op::Forward;
    const int stage = forward ? op.stage - 1 : op.stage + 1;
    if (stage < 0 || stage >= schedule.stageCount()) return std::nullopt;
    if (schedule.placement[static_cast<std::size_t>(stage)] ==
        schedule.placement[static_cast<std::size_t>(op.stage)])
        return std::nullopt;
    return Source{stage, forward ? Op::RecvForward : Op::RecvBackward};
}

using MessageKey =
    std::tuple<int, Op, int, int>;  // iteration, RECV_F or RECV_B, receiving stage, micro-batch

class Messages {
public:
    Messages(const TracedRun& run, const Schedule& schedule) : recorded_(run.messages_recorded) {
        for (const TracedRank& rank : run.ranks) {
            for (const TracedReceive& each : rank.receives)
                arrivals_[{each.iteration, each.op, each.stage, each.microbatch}] = each;
            for (const TracedSend& each : rank.sends) {
                const bool forward = each.op == Op::SendForward;
                sends_[{each.iteration, forward ? Op::RecvForward : Op::RecvBackward,
                        each.stage + (forward ? 1 : -1), each.microbatch}] = each.start_ns;
            }
            for (const TracedOp& op : rank.ops)
                if (sourceOf(schedule, op)) ++needed_;
        }
    }
    // Every message that crosses ranks has its receive and its send.
    bool recorded() const { return recorded_; }
    bool whole() const {
        return recorded_ || (needed_ > 0 && arrivals_.size() >= needed_ && sends_.size() >= needed_);
    }
    const TracedReceive* arrival(const MessageKey& key) const {
        const auto found = arrivals_.find(key);
        return found == arrivals_.end() ? nullptr : &found->second;
    }
    std::int64_t sentAt(const MessageKey& key, std::int64_t otherwise) const {
        const auto found = sends_.find(key);
        return found == sends_.end() ? otherwise : found->second;
    }

private:
    std::map<MessageKey, TracedReceive> arrivals_;
    std::map<MessageKey, std::int64_t> sends_;
    std::size_t needed_ = 0;
    bool recorded_ = false;
};

// Wait and transfer of what an operation needs: the rank has nothing else to do from `idle_from` on; the
// message travels from when it is sent and expected. Without both ends all of it is waiting.
Event receiveEvent(const TracedOp& op, int rank, const Source& source, std::int64_t idle_from,
                   const Messages& messages, bool whole) {
    Event event;
    event.rank = static_cast<std::int16_t>(rank);
    event.op = source.message;
    event.stage = op.stage;
    event.microbatch = op.microbatch;
    event.iteration = op.iteration;
    event.start_ns = std::min(idle_from, op.start_ns);
    event.end_ns = event.transfer_ns = op.start_ns;
    const MessageKey key{op.iteration, source.message, op.stage, op.microbatch};
    const TracedReceive* arrival = messages.arrival(key);
    if (!whole || arrival == nullptr) return event;
    if (messages.recorded()) {
        event.start_ns = arrival->start_ns;
        event.transfer_ns = arrival->transfer_ns;
        event.end_ns = arrival->end_ns;
        return event;
    }
    event.end_ns = std::clamp(arrival->end_ns, event.start_ns, op.start_ns);
    event.transfer_ns = std::clamp(std::max(messages.sentAt(key, event.start_ns), arrival->start_ns),
                                   event.start_ns, event.end_ns);
    return event;
}

Timeline timelineOf(const TracedRun& run, const Schedule& schedule, const Messages& messages) {
    Timeline timeline(run.p, run.provenance);
    std::map<int, std::int64_t> begin;  // of an iteration, over all ranks
    for (const TracedRank& rank : run.ranks)
        for (auto op = rank.ops.begin(); op != rank.ops.end();) {
            const auto own = ofIteration(std::span(op, rank.ops.end()), op->iteration);  // by start
            auto [at, fresh] = begin.try_emplace(op->iteration, op->start_ns);
            if (!fresh) at->second = std::min(at->second, op->start_ns);
            op += std::ssize(own);
        }
    for (const TracedRank& rank : run.ranks) {
        std::int64_t free_ns = std::numeric_limits<std::int64_t>::min();
        for (const TracedOp& op : rank.ops) {
            // Two operations of a rank never run at once; what is measured as an overlap of host ranges is
            // none.
            const std::int64_t start_ns = std::max(op.start_ns, free_ns),
                               end_ns = std::max(op.end_ns, start_ns);
            TracedOp placed = op;
            placed.start_ns = start_ns;
            if (const auto source = sourceOf(schedule, op))
                timeline.append(receiveEvent(placed, rank.rank, *source,
                                             std::max(free_ns, begin[op.iteration]), messages,
                                             messages.whole()));
            Event event;
            event.rank = static_cast<std::int16_t>(rank.rank);
            event.op = op.op;
            event.stage = op.op == Op::OptimizerStep ? -1 : op.stage;
            event.microbatch = op.op == Op::OptimizerStep ? -1 : op.microbatch;
            event.iteration = op.iteration;
            event.start_ns = start_ns;
            event.end_ns = free_ns = end_ns;
            timeline.append(event);
        }
    }
    return timeline;
}

}  // namespace

std::vector<DurationSpread> durationsOf(const Timeline& timeline, std::optional<int> without) {
    std::map<std::pair<int, Op>, std::vector<std::int64_t>> samples;
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank))
            if (event.iteration != without) samples[{event.stage, event.op}].push_back(event.duration_ns());
    std::vector<DurationSpread> durations;
    for (auto& [key, values] : samples) {
        const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
        DurationSpread spread{key.first,
                              key.second,
                              0,
                              static_cast<double>(*least),
                              static_cast<double>(*greatest),
                              static_cast<int>(values.size())};
        spread.median_ns = median(values);
        durations.push_back(spread);
    }
    return durations;
}

namespace {

Costs costsOf(const std::vector<DurationSpread>& durations, int stages) {
    Costs costs;
    costs.stages.resize(static_cast<std::size_t>(stages));
    for (const DurationSpread& spread : durations) {
        if (spread.op == Op::OptimizerStep) {
            costs.optimizer_ns = spread.median_ns;
            continue;
        }
        for (const DurationField& field : kDurationFields)
            if (field.op == spread.op)
                costs.stages[static_cast<std::size_t>(spread.stage)].*field.ns = spread.median_ns;
    }
    return costs;
}

// Of iterations that do not start up; clocks that were not moved and read one time need one direction.
void takePassingCosts(ImportedRun& imported, std::vector<int> iterations) {
    if (iterations.size() > 1) std::erase(iterations, imported.start_up.value_or(-1));
    ImportOrigin& origin = imported.origin;
    if (!origin.aligned) return;  // times that contradict each other say nothing of what lies between them
    const bool one_clock = origin.clocks == ImportOrigin::Clocks::Shared && origin.max_shift_ns == 0;
    const PassingCosts passing = passingCosts(imported.timeline, iterations, one_clock);
    origin.costs.handover_ns = passing.handover_ns;
    origin.costs.link.latency_us = passing.message_ns / 1e3;
    origin.handovers = passing.handovers;
    origin.messages = passing.messages;
}

IterationReport reportOf(const ImportedRun& imported, int iteration,
                         const std::optional<IterationSummary>& predicted, std::optional<double> theory) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const IterationSummary summary = summarize(imported.timeline, iteration);
    IterationReport report;
    report.iteration = iteration;
    report.schedule = imported.schedule.name;
    report.p = imported.schedule.params.p;
    report.v = imported.schedule.params.v;
    report.m = imported.schedule.params.m;
    report.recompute = imported.recompute;
    report.device = imported.origin.source;
    report.provenance = imported.timeline.provenance();
    fillImported(report, summary, imported.origin.knows_transfers);
    report.predicted_bubble_of_total = predicted ? predicted->bubble_of_total : unknown;
    report.predicted_iteration_ms = predicted ? toMs(predicted->iteration_ns) : unknown;
    report.theory_bubble_of_total = theory;
    report.loss = report.grad_norm = report.host_ms = unknown;
    report.costs = imported.origin.costs;
    return report;
}

void addBubblesOfSource(const TracedRun& run, std::vector<IterationReport>& reports) {
    for (const TracedRank& rank : run.ranks)
        for (IterationReport& report : reports)
            if (const auto recorded = rank.bubble_of_source.find(report.iteration);
                recorded != rank.bubble_of_source.end())
                report.ranks[static_cast<std::size_t>(rank.rank)].bubble_of_source = recorded->second;
}

ImportOrigin originOf(TracedRun& run, const Numbering& numbering, AlignedClocks clock) {
    ImportOrigin origin;
    origin.source = run.source;
    origin.numbers_inferred = numbering.inferred;
    origin.operations_inferred = run.operations_inferred;
    origin.times = run.times;
    origin.clocks = run.clocks;
    origin.aligned = clock.aligned;
    origin.max_shift_ns = clock.max_shift_ns;
    origin.slack_ns = clock.slack_ns;
    origin.contradictions = std::move(clock.contradictions);
    return origin;
}

// Ranks that are taken in their order must not contradict it: several pipelines side by side would.
void requireOnePipeline(const TracedRun& run, const ImportedRun& imported) {
    if (!run.stages_by_rank || imported.origin.aligned) return;
    throw ImportError(sentence(
        "the files name no stage, and as one pipeline of {0} ranks they contradict their clocks ({1}). "
        "Where pipelines ran side by side (data or tensor parallelism), give the files of one, or record "
        "again with this version's probe, which writes the groups",
        run.p, imported.origin.contradictions.front()));
}

// Of times that cannot be those of one run no number would be right. Recordings of Bubblescope itself hold
// what was seen.
void requireOrder(const TracedRun& run, const ImportedRun& imported) {
    if (imported.origin.aligned || run.provenance != Provenance::Imported) return;
    const Sentence& first = imported.origin.contradictions.front();
    if (run.clocks == Clocks::Shared)
        throw TimesContradict(sentence(
            "the files contradict each other although their ranks share one clock: {0}. Either what was "
            "read as an operation is not one, or the files are not of one pipeline and one run, so no "
            "number would be right. Give the files of one pipeline and one run; the range of an operation "
            "may contain its own receive and send, but none of another operation",
            first));
    throw TimesContradict(sentence(
        "the files contradict each other however their clocks are shifted: {0}. Either what was read "
        "as an operation is not one, or the files are not of one pipeline and one run, so no number "
        "would be right. Give the files of one pipeline and one run",
        first));
}

// Of named operations whose last calls lie far from what follows them, as where calls are missing.
void noteUnsureEdges(TracedRun& run, double share) {
    constexpr double worth_a_note = 0.015;
    if (share < worth_a_note) return;
    run.notes.push_back(
        sentence("where operations begin and end is not sure: their first and last recorded calls lie well "
                 "within their ranges, as where the host had no core. The bubble may be off by up to {0} "
                 "percentage points, either way",
                 percentNumber(share)));
}

// Behind the last iteration that is whole in every file.
GrowingFiles whereItGoesOn(const TracedRun& run, const ImportedRun& imported, std::int64_t base_ns) {
    GrowingFiles growing{{}, base_ns, imported.timeline.end_ns()};
    for (const GrowingFile& file : run.growing) {
        const auto end =
            std::ranges::find(file.ends, imported.reports.back().iteration, &IterationEnd::iteration);
        if (end == file.ends.end()) return {};
        growing.files.push_back({file.path, file.head, {*end}});
    }
    return growing;
}

ImportedRun importNamed(TracedRun run, std::optional<int> wanted) {
    ImportedRun imported;
    Numbering numbering = numberOperations(run);
    if (run.provenance == Provenance::Imported) leaveOutImpossible(run, numbering);
    if (run.provenance == Provenance::Imported && !run.goes_on)
        imported.start_up = startUpIteration(run, numbering.iterations);
    if (imported.start_up && imported.start_up != wanted)
        leaveOutStartUp(run, numbering.iterations, *imported.start_up);
    endWithMessages(run, numbering);
    const UnnamedShares unnamed(run, numbering.iterations);
    AlignedClocks clocks = alignClocks(run, numbering.placement, numbering.iterations);
    const std::int64_t base_ns = clocks.base_ns;
    imported.origin = originOf(run, numbering, std::move(clocks));
    imported.schedule = scheduleOf(run, numbering);
    imported.recognition = recognise(imported.schedule);
    requireOnePipeline(run, imported);
    requireOrder(run, imported);
    imported.schedule.name = imported.recognition.schedule.value_or("imported");
    imported.schedule.params.group_size = imported.recognition.group_size;
    imported.recompute = recomputes(run) ? Recompute::Full : Recompute::None;
    if (imported.schedule.name == "gpipe" && numbering.inferred)
        run.notes.push_back(
            sentence("the files do not say which micro-batch a backward belongs to: this is GPipe, or GPipe "
                     "(LIFO), which takes the last one first"));
    const Messages messages(run, imported.schedule);
    imported.origin.nearest_schedule = imported.recognition.nearest.value_or("");
    imported.origin.first_difference = imported.recognition.first_difference;
    imported.origin.knows_transfers = messages.whole();
    imported.timeline = timelineOf(run, imported.schedule, messages);
    imported.durations = durationsOf(imported.timeline, imported.start_up);
    imported.origin.costs = costsOf(imported.durations, imported.schedule.stageCount());
    takePassingCosts(imported, numbering.iterations);
    std::optional<IterationSummary> predicted;
    try {
        predicted = predictSummary(lower(imported.schedule, imported.recompute), imported.origin.costs);
    } catch (const std::invalid_argument& error) {
        run.notes.push_back(sentence("the order as recorded cannot be played, so there is no prediction: {0}",
                                     sentenceOf(error)));
    }
    const std::optional<double> theory =
        closedFormBubble(imported.schedule, imported.origin.costs, imported.recompute);
    for (const int iteration : numbering.iterations)
        imported.reports.push_back(reportOf(imported, iteration, predicted, theory));
    addBubblesOfSource(run, imported.reports);
    std::map<int, std::int64_t> lengths_ns;
    for (const IterationReport& report : imported.reports)
        lengths_ns[report.iteration] = static_cast<std::int64_t>(report.iteration_ms * 1e6);
    unnamed.note(run.notes, lengths_ns);
    if (run.times == Times::Ranges)
        imported.origin.understated_by =
            understatedBy(imported.timeline, imported.schedule, numbering.iterations);
    else if (run.times == Times::Host && run.operations_inferred)
        imported.origin.understated_by = understatedByEdges(run, imported.timeline, numbering.iterations);
    else if (run.times == Times::Host)
        noteUnsureEdges(run, understatedByEdges(run, imported.timeline, numbering.iterations));
    imported.origin.notes = std::move(run.notes);
    imported.goes_on = run.goes_on;
    imported.growing = whereItGoesOn(run, imported, base_ns);
    return imported;
}

// The fewest chunks with which the order is that of a schedule; with one where there are none.
ImportedRun importWithoutChunks(const TracedRun& run, std::optional<int> wanted) {
    constexpr int most = 8;
    std::optional<ImportedRun> first;
    std::optional<ImportError> why;
    for (int chunks = 1; chunks <= most; ++chunks) {
        TracedRun attempt = run;
        attempt.v = chunks;
        try {
            ImportedRun imported = importNamed(std::move(attempt), wanted);
            const bool fits = imported.recognition.schedule && imported.origin.aligned;
            if (!first || fits) first = std::move(imported);
            if (fits) break;
        } catch (const ImportError& error) {
            if (!why) why = error;
        }
    }
    if (!first) throw *why;
    first->origin.notes.push_back(
        sentence("the files do not contain v: {0} is used, from the order of the operations",
                 first->schedule.params.v));
    return std::move(*first);
}

ImportedRun importWhole(TracedRun run, std::optional<int> wanted) {
    if (run.operations_inferred)
        return importInferred(run, [wanted](TracedRun one) { return importNamed(std::move(one), wanted); });
    return run.chunks_inferred ? importWithoutChunks(run, wanted) : importNamed(std::move(run), wanted);
}

ImportedRun importPipeline(TracedRun run, std::optional<int> wanted) {
    run.others.clear();
    requireTimes(run);
    requireOneRecording(run);
    leaveOutForwardPasses(run);
    numberPasses(run);
    keepNewestSettings(run);
    orderRanks(run);
    requireOnePipeline(run);
    const Completeness completeness = completenessOf(run);
    if (completeness == Completeness::Whole) {
        try {
            return importWhole(run, wanted);
        } catch (const MissingStages& error) {
            throw PartOfPipeline(partOf(run, error.said));
        }
    }
    PipelinePart part = partOf(run);
    if (completeness == Completeness::Open && part.schedules.empty()) {
        try {
            ImportedRun imported = importWhole(run, wanted);
            if (imported.recognition.schedule) return imported;
        } catch (const TimesContradict&) {
            // They are of several pipelines, or some of one.
        }
    }
    throw PartOfPipeline(std::move(part));
}

}  // namespace

ImportedRun importRun(TracedRun run, std::optional<int> wanted) {
    const int shards = run.shards;
    ImportedRun imported = importPipeline(std::move(run), wanted);
    imported.shards = shards;
    return imported;
}

}  // namespace bscope
