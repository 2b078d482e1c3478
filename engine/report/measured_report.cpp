#include "report/measured_report.h"

#include <limits>

namespace bscope {

void fillSizes(IterationReport& report, const RunConfig& config) {
    report.p = config.params.p;
    report.m = config.params.m;
    report.v = config.params.v;
    report.d = config.params.d;
    report.zero = config.params.zero;
    report.t = config.params.t;
    report.segments = config.params.segments;
    report.sequence_parallel = config.sequence_parallel;
}

void fillState(RankReport& of_rank, std::int64_t weight_bytes, std::int64_t optimizer_bytes,
               std::int64_t stashed_bytes) {
    of_rank.weight_bytes = weight_bytes + stashed_bytes;
    of_rank.stashed_weight_bytes = stashed_bytes;
    of_rank.gradient_bytes = weight_bytes;
    of_rank.optimizer_bytes = optimizer_bytes;
}

void fillMeasured(IterationReport& report, const IterationSummary& summary) {
    report.iteration_ms = toMs(summary.iteration_ns);
    report.span_ms = toMs(summary.span_ns);
    report.optimizer_ms = toMs(summary.optimizer_ns);
    report.bubble_of_total = summary.bubble_of_total;
    report.bubble_of_ideal = summary.bubble_of_ideal;
    report.ranks.resize(summary.ranks.size());
    for (std::size_t i = 0; i < summary.ranks.size(); ++i) {
        const RankSummary& rank = summary.ranks[i];
        RankReport& of_rank = report.ranks[i];
        of_rank.rank = rank.rank;
        of_rank.busy_ms = toMs(rank.busy_ns);
        of_rank.wait_ms = toMs(rank.wait_ns);
        of_rank.transfer_ms = toMs(rank.transfer_ns);
        of_rank.bubble_of_total = rank.bubble_of_total;
        of_rank.peak_activation_bytes = rank.peak_activation_bytes;
        of_rank.peak_in_flight = rank.peak_in_flight;
    }
}

void fillImported(IterationReport& report, const IterationSummary& summary, bool knows_transfers) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    fillMeasured(report, summary);
    if (summary.optimizer_ns == 0) report.optimizer_ms = unknown;
    if (!knows_transfers)
        for (RankReport& rank : report.ranks) rank.transfer_ms = unknown;
    report.tokens_per_s = unknown;
}

void addShardSums(RankReport& of_rank, std::span<const KernelEvent> spans) {
    for (const KernelEvent& span : spans) {
        if (!span.isCollective()) continue;
        of_rank.shards_wait_ms += toMs(span.wait_ns);
        of_rank.shards_transfer_ms += toMs(span.end_ns - span.start_ns - span.wait_ns);
        of_rank.shards_bytes += span.bytes;
    }
}

double tokensPerSecond(const RunConfig& config, std::int64_t iteration_ns) {
    const double tokens = static_cast<double>(config.samples()) * config.model.sequence;
    return tokens / (static_cast<double>(iteration_ns) / 1e9);
}

}  // namespace bscope
