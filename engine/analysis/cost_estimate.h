// Cost estimate: how long and how large every operation of a configuration will be, before it has run.
// Durations follow from the model's shape (multiply-adds per token); what has been measured, under whatever
// configuration, scales them: a configuration that differs only in schedule, m or link gets back exactly what
// was measured. Bytes are counted as the engine counts them. Pure functions.
#pragma once

#include <memory>
#include <vector>

#include "schedule/schedule.h"
#include "timeline/costs.h"
#include "timeline/timeline.h"

namespace bscope {

// Calibrated medians and the configuration they were measured under.
struct KnownCosts {
    RunConfig config;
    Costs costs;
    std::shared_ptr<const Schedule> order = nullptr;  // null: the catalog has it
    // (ranks,) times as slow as the others, found in what ran (Usual::slowness): stays with the rank whatever
    // stage it has. Empty: none is.
    std::vector<double> slowness = {};

    // What a message takes beyond config.link, found in what ran.
    double message_extra_ns = 0;
    // Handing over and messages as they were in that iteration, where it was measured; nothing of a stream.
    void learnPassing(const Timeline& ran, int iteration);

    // What of it config.slow_ranks does not say.
    double unsaidSlowness(int rank) const;
};

// Whether what was measured says something about config: it did not run on another kind of device.
bool usesMeasured(const RunConfig& config, const KnownCosts* known);

// Costs of config under its order; there must be no problems. known may be null. repaired: a rank that was
// slow and is no more; -1: none.
Costs estimateCosts(const RunConfig& config, const Schedule& order, const KnownCosts* known,
                    int repaired = -1);
// The order is the catalog's.
Costs estimateCosts(const RunConfig& config, const KnownCosts* known);

// (ranks,) ns: what the collectives over shards take of the operations of `played`, a plan of config under its
// order, on the modelled link; 0 without shards.
std::vector<double> shardSums_ns(const RunConfig& config, const Schedule& order, const Timeline& played);

}  // namespace bscope
