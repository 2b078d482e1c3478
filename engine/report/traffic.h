// Traffic: what a rank receives in an iteration from the ranks that it communicates with; it sends as much in
// its rings, and a pipeline's messages go one way. By formula from the configuration, and as events recorded
// it. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "config/run_config.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

struct RankTraffic {
    std::int64_t pipeline = 0;   // activations and gradients of the neighbouring stages
    std::int64_t shards = 0;     // collectives over tensor-parallel shards
    std::int64_t gradients = 0;  // REDUCE_GRAD, of the copies of its stages
    std::int64_t weights = 0;    // GATHER_WEIGHTS, likewise
    bool operator==(const RankTraffic&) const = default;
};

// (ranks,) by formula; the config must have no problems. Of shards: a ring's (t - 1) / t of B T C numbers a
// round (Megatron-LM, arXiv:1909.08053; arXiv:2205.05198, section 4.2.2) and the three collectives of
// cross-entropy. Of the copies: (d - 1) / d of the stage a round, to a cache line.
std::vector<RankTraffic> countTraffic(const RunConfig& config, const Schedule& schedule);

// (ranks,) of one iteration's events, and of its report for the shards.
std::vector<RankTraffic> recordedTraffic(const Timeline& timeline, const IterationReport& report);

}  // namespace bscope
