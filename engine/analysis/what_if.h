// whatIf: what other schedules, m and v would have given with the costs of a run. PREDICTED: nothing runs,
// and messages cost what the costs say, so all of it compares with the run's own prediction, not with its
// times.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "timeline/costs.h"
#include "words/sentence.h"

namespace bscope {

struct Alternative {
    std::string schedule;  // name in the catalog
    ScheduleParams params;
    double iteration_ms = 0, ms_per_microbatch = 0, bubble_of_total = 0;
    // Most that any rank holds, in micro-batches: 1 is what a micro-batch leaves on a rank, that is v chunks.
    double most_in_flight = 0;
    bool ran = false;         // the run's own
    bool even_split = false;  // its work spread evenly over all stages
    bool over_cap = false;    // holds more than the cap
};

struct WhatIf {
    std::vector<Alternative> alternatives;  // by time per micro-batch, what fits first
    Sentence refusal;                       // why there are none; else empty
};

// Costs of the same model cut into other stages: work lies evenly within each stage of the run. Where the run
// does not tell the halves of a backward apart, each is half of it.
Costs costsForStages(const Costs& costs, int stages);

// What an alternative was played with; costs are those of all stages of the run.
Schedule scheduleOf(const Alternative& alternative, const Schedule& ran);
Costs costsOf(const Alternative& alternative, const Schedule& ran, const Costs& costs);

// Of an alternative under its schedule; none: it is not possible for other reasons than its schedule.
using CostsOfAlternative = std::function<std::optional<Costs>(const Alternative&, const Schedule&)>;

// Every schedule of the catalog that trains with one copy of the weights and a flush, with the run's m and v
// and with its own usual v, and the run's own with half, twice and four times the m, other v, and its work
// spread evenly over the stages; what holds more than memory_cap (0: none) is marked. Stopped: what was
// played until then.
WhatIf whatIf(const Schedule& ran, const CostsOfAlternative& costs, Recompute recompute,
              double memory_cap = 0, const std::stop_token& stop = {});
// With costsOf() these, the run's own.
WhatIf whatIf(const Schedule& ran, const Costs& costs, Recompute recompute, double memory_cap = 0,
              const std::stop_token& stop = {});

}  // namespace bscope
