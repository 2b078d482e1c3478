// From the summary of an iteration's events to its report. Pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "timeline/analysis.h"
#include "timeline/event.h"
#include "report/report.h"

namespace bscope {

constexpr double toMs(std::int64_t ns) {
    return static_cast<double>(ns) / 1e6;
}

// The sizes of the configuration that a report names.
void fillSizes(IterationReport& report, const RunConfig& config);
// Bytes of weights, which gradients take as many as, of AdamW's moments, and of older versions of the
// weights.
void fillState(RankReport& of_rank, std::int64_t weight_bytes, std::int64_t optimizer_bytes,
               std::int64_t stashed_bytes = 0);

// What the events say: lengths, bubbles, and of every rank times and activations; what else the report holds
// of a rank stays.
void fillMeasured(IterationReport& report, const IterationSummary& summary);
// The same of a run of another program: NaN where its files say nothing.
void fillImported(IterationReport& report, const IterationSummary& summary, bool knows_transfers);

// Adds what the operations of one rank waited for and sent to the other shards of their stages; of GPUs these
// are kernels, and no collectives.
void addShardSums(RankReport& of_rank, std::span<const KernelEvent> spans);

// Tokens of all replicas over the length of an iteration.
double tokensPerSecond(const RunConfig& config, std::int64_t iteration_ns);

}  // namespace bscope
