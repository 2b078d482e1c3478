// TracingCost: what tracing costs, from iterations with it and those that were run without (--trace-cost).
// One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "config/run_config.h"
#include "report/report.h"

namespace bscope {

// One iteration in config.trace_cost is not.
bool isTraced(const RunConfig& config, int iteration);
Timing untraced();

// How the times of an iteration on GPUs came about.
struct TracingFacts {
    Timing timing;
    std::optional<double> cost;  // as IterationReport::tracing_cost
    std::uint64_t lost_records = 0;
};

class TracingCost {
public:
    void add(bool traced, std::int64_t run_ns);
    // 0.02: iterations last 2 % longer; of medians of the latest. nullopt while only one kind has run.
    std::optional<double> value() const;

private:
    std::deque<std::int64_t> traced_ns_, untraced_ns_;
};

}  // namespace bscope
