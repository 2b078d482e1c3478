// What an iteration's timeline says, beside what was predicted for it and what theory says. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "clock/calibration.h"
#include "plan/plan.h"
#include "rank/rank_iteration.h"
#include "timeline/analysis.h"
#include "report/report.h"
#include "timeline/timeline.h"

namespace bscope {

// Everything but what only the workers record (loss, norms, host times, weight and buffer bytes). costs:
// medians of this configuration.
// An iteration on GPUs that was not traced has no events: its time is host_ns, and what only events show is
// not a number.
IterationReport describeIteration(const Plan& plan, const Timeline& timeline, int iteration,
                                  const Costs& costs, std::int64_t host_ns);

// Medians of this configuration, 0 where nothing was timed; bytes and link as planned.
Costs calibratedCosts(const Plan& plan, const Calibration& calibration);

// What the ranks have learned, and how far they went. shares: (ranks,), also below.
void addLossToReport(IterationReport& report, const Plan& plan, std::span<const RankIteration> shares);
// Times on the host, weight and buffer bytes of every rank.
void addSharesToReport(IterationReport& report, std::span<const RankIteration> shares, std::int64_t host_ns);

// Of a stream's timeline the events and memory points of one iteration, which the next one begins in.
Timeline onlyIteration(const Timeline& timeline, int iteration);
// With measured times: a stream's ranks had to wait until more iterations were admitted, which is no
// bubble of the schedule. iteration: of the stream, from 0; the first one always waits.
bool heldBack(std::span<const RankIteration> shares, int iteration);

// One iteration by those costs; of a stream one that is neither filled nor drained.
IterationSummary predictedIteration(const Plan& plan, const Costs& costs);

// Bubble of total by the closed form of the catalog: equal stages, a free link. Where the form depends on how
// long operations last, the means of costs are put in. nullopt where no form is known. A full stream has
// none.
std::optional<double> theoreticalBubble(const Plan& plan, const Costs& costs);

}  // namespace bscope
