// whatIf: what other schedules, m and v would have given with the costs of a run. PREDICTED: nothing runs,
// and messages cost what the costs say, so all of it compares with the run's own prediction, not with its
// times.
#pragma once

#include <string>
#include <vector>

#include "timeline/costs.h"

namespace bscope {

struct Alternative {
    std::string schedule;  // name in the catalog
    ScheduleParams params;
    double iteration_ms = 0, ms_per_microbatch = 0, bubble_of_total = 0;
    // Most that any rank holds, in micro-batches: 1 is what a micro-batch leaves on a rank, that is v chunks.
    double most_in_flight = 0;
    bool ran = false;       // the run's own
    bool over_cap = false;  // holds more than the cap
};

// Costs of the same model cut into other stages: work lies evenly within each stage of the run. Where the run
// does not tell the halves of a backward apart, each is half of it.
Costs costsForStages(const Costs& costs, int stages);

// Every schedule of the catalog that trains with one copy of the weights and a flush, with the run's m and v
// and with its own usual v, and the run's own with half, twice and four times the m and other v; what holds
// more than memory_cap (0: none) is marked. By time per micro-batch, what fits first. Empty when the order of
// the run cannot be played.
std::vector<Alternative> whatIf(const Schedule& ran, const Costs& costs, Recompute recompute,
                                double memory_cap = 0);

}  // namespace bscope
