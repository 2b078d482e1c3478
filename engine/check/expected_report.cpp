#include "check/expected_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "catalog/catalog.h"
#include "schedule/weight_versions.h"
#include "shape/config_shape.h"
#include "timeline/iteration_events.h"
#include "timeline/mean_durations.h"
#include "report/measured_report.h"
#include "timeline/predict_summary.h"

namespace bscope {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

bool countsAsOperation(Op op, bool is_stream) {
    return is_stream ? op == Op::Backward : isCompute(op) && op != Op::Recompute;
}

// A file of before a number was recorded has 0 there.
template <class Number>
void setWhereRecorded(Number& stated, Number expected) {
    if (stated != 0) stated = expected;
}

}  // namespace

ExpectedReports::ExpectedReports(IterationStart start) : start_(std::move(start)) {
    try {
        takeOrder();
        takeProgram();
    } catch (const std::exception&) {  // without an order nothing is whole, without a program not predicted
    }
    if (order_ && !start_.import && problems(start_.config, *order_).empty()) takeSizes();
}

void ExpectedReports::takeOrder() {
    const Schedule order =
        start_.schedule ? *start_.schedule : makeSchedule(start_.config.schedule, start_.config.params);
    is_stream_ = order.step_every > 0;
    for (const std::vector<Action>& of_rank : order.orders)
        operations_.push_back(
            is_stream_  // the order is a piece of it; EndlessStream::share()
                ? static_cast<std::size_t>(start_.config.params.m)
                : static_cast<std::size_t>(std::ranges::count_if(
                      of_rank, [](const Action& a) { return countsAsOperation(a.op, false); })));
    if (!start_.placement.empty()) start_.placement = order.placement;
    order_ = order;
}

void ExpectedReports::takeProgram() {
    const Recompute apart = order_->isForwardOnly() ? Recompute::None : start_.config.recomputedApart();
    if (is_stream_ && !start_.import) stream_.emplace(*order_, start_.config.params.m, apart);
    program_ = lower(*order_, apart);
}

void ExpectedReports::takeSizes() {
    weight_bytes_ = weightsOfRanks(start_.config, *order_);
    optimizer_bytes_ = optimizerOfRanks(start_.config, *order_);
    for (const ActivationBytes& bytes : activationsOfStages(start_.config, *order_))
        chunks_.push_back(chunkBytes(bytes));
    if (!start_.layers_per_stage.empty()) start_.layers_per_stage = blocksOfStages(start_.config, *order_);
}

bool ExpectedReports::isWhole(const Timeline& iteration) const {
    if (operations_.size() != static_cast<std::size_t>(iteration.ranks())) return false;
    for (int rank = 0; rank < iteration.ranks(); ++rank) {
        const auto ran = std::ranges::count_if(iteration.compute(rank), [this](const Event& event) {
            return countsAsOperation(event.op, is_stream_);
        });
        if (static_cast<std::size_t>(ran) != operations_[static_cast<std::size_t>(rank)]) return false;
    }
    return true;
}

bool ExpectedReports::provesLength(const IterationReport& stated) const {
    return order_ && !start_.import && start_.config.device == DeviceChoice::Cuda &&
           stated.iteration >= start_.iteration && stated.ranks.size() == operations_.size();
}

IterationReport ExpectedReports::ofEvents(const IterationReport& stated, const Timeline& own,
                                          const IterationSummary& summary,
                                          std::span<const ShardSpans> shards) const {
    IterationReport report = stated;
    fillFromEvents(report, own, summary, shards);
    fillFromStart(report);
    fillFromCosts(report);
    return report;
}

IterationReport ExpectedReports::ofLength(const IterationReport& stated) const {
    IterationReport report = stated;
    report.tokens_per_s = tokensPerSecond(start_.config, std::llround(stated.iteration_ms * 1e6));
    fillFromStart(report);
    fillFromCosts(report);
    return report;
}

void ExpectedReports::fillFromEvents(IterationReport& report, const Timeline& own,
                                     const IterationSummary& summary,
                                     std::span<const ShardSpans> shards) const {
    if (start_.import) {
        fillImported(report, summary, start_.import->knows_transfers);
        return;
    }
    fillMeasured(report, summary);
    report.tokens_per_s = tokensPerSecond(start_.config, summary.iteration_ns);
    fillVersions(report, own);
    for (std::size_t rank = 0; rank < report.ranks.size(); ++rank) {
        RankReport& of_rank = report.ranks[rank];
        const RankReport& sums = shards[rank].sums;
        const PartsOfRank& parts = shards[rank].parts;
        // A viewer that was too slow lacks some of them, or all.
        if (!parts.areWhole() || (parts.areNone() && start_.config.params.t > 1)) continue;
        of_rank.shards_wait_ms = sums.shards_wait_ms;
        of_rank.shards_transfer_ms = sums.shards_transfer_ms;
        of_rank.shards_bytes = sums.shards_bytes;
    }
}

// OPT events say which version they made, and by how much its gradients were late; the backward before a step
// which version the next one will read, down to which all are held.
void ExpectedReports::fillVersions(IterationReport& report, const Timeline& own) const {
    for (RankReport& rank : report.ranks) {
        rank.staleness = 0;
        rank.weight_versions = 1;
        if (!is_stream_) continue;
        int next_reads = 0;
        for (const Event& event : ofIteration(own.compute(rank.rank), report.iteration)) {
            if (event.op == Op::Backward)
                next_reads = event.weight_version + versionRead(*order_, rank.rank, event.microbatch + 1) -
                             versionRead(*order_, rank.rank, event.microbatch);
            if (event.op != Op::OptimizerStep) continue;
            rank.staleness = std::max<int>(rank.staleness, event.staleness);
            rank.weight_versions = std::max(rank.weight_versions, event.weight_version - next_reads + 1);
        }
    }
}

void ExpectedReports::fillFromStart(IterationReport& report) const {
    const RunConfig& config = start_.config;
    report.schedule = order_->name;
    fillSizes(report, config);
    report.recompute = order_->isForwardOnly() ? Recompute::None : config.recompute;
    report.provenance = start_.provenance;
    report.device = start_.device;
    if (start_.import) return;
    report.checkpoint_every = config.checkpoint_every;
    for (std::size_t rank = 0; rank < std::min(weight_bytes_.size(), report.ranks.size()); ++rank) {
        RankReport& of_rank = report.ranks[rank];
        const std::int64_t one = weight_bytes_[rank];
        fillState(of_rank, one, optimizer_bytes_[rank], (of_rank.weight_versions - 1) * one);
    }
    for (std::size_t stage = 0; stage < std::min(chunks_.size(), report.costs.stages.size()); ++stage) {
        StageCosts& stated = report.costs.stages[stage];
        StageCosts expected;
        expected.setChunk(chunks_[stage]);
        for (const ByteField& field : kByteFields)
            setWhereRecorded(stated.*field.bytes, expected.*field.bytes);
    }
    setWhereRecorded(report.costs.message_bytes, messageBytes(config));
    report.costs.link = config.link;
}

// What the same engine predicts and the closed form says with these costs.
void ExpectedReports::fillFromCosts(IterationReport& report) const {
    const Costs& costs = start_.import ? start_.import->costs : report.costs;
    if (report.theory_bubble_of_total)
        report.theory_bubble_of_total =
            stream_ ? std::optional(0.0) : closedFormBubble(*order_, costs, report.recompute);
    if (!start_.import)
        report.disturbed = tookLonger(report) ||
                           // a stream that waited to be admitted: disturbanceOf()
                           (report.disturbed && stream_ && report.provenance == Provenance::Measured);
    if (costs.stages.empty()) return;
    report.predicted_bubble_of_total = report.predicted_iteration_ms = kNotKnown;
    if (!program_) return;
    try {
        const IterationSummary predicted =
            stream_ ? predictSummary(*stream_, costs) : predictSummary(*program_, costs);
        report.predicted_bubble_of_total = predicted.bubble_of_total;
        report.predicted_iteration_ms = toMs(predicted.iteration_ns);
    } catch (const std::logic_error&) {  // costs of other stages, or times that no clock has: no prediction
    }
}

}  // namespace bscope
