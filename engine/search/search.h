// search: an order with the least makespan it can find under a cap of activation memory, for given costs. The
// result is never longer than the best schedule of the catalog that fits; how far from the optimum it may be
// is proved by a lower bound. Deterministic: the effort is counted in steps, not in time. Any thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "schedule/problem.h"
#include "schedule/schedule.h"
#include "timeline/costs.h"

namespace bscope {

struct SearchRequest {
    ScheduleParams params;  // of one replica: d and group_size are ignored
    Costs costs;            // of p * v stages
    // Activations of one micro-batch on one rank (v chunks) that may be in flight on any rank; 0 = no cap.
    double memory_cap = 0;
    // (p*v,) rank of each stage; empty: on a loop or a zigzag, whichever gives the shorter iteration.
    std::vector<int> placement = {};
};

struct SearchResult {
    Schedule schedule;  // named "auto"
    std::int64_t makespan_ns = 0;
    std::int64_t lower_bound_ns = 0;  // no schedule with these stages on a loop or a zigzag is shorter
    std::string found_by;             // what it began with: a catalog name or "list scheduling"
    std::string best_entry;           // the best catalog entry that fits; "" when none does
    std::int64_t best_entry_ns = 0;
    // Share by which it may be longer than the optimum.
    double gap() const;
};

// Everything illegal, each with the nearest legal values.
std::vector<Problem> searchProblems(const SearchRequest& request);

// Considers schedules that train with one replica and one version of the weights. Asked to stop, it ends soon
// and returns the best it has, which may then be longer than the best of the catalog. Throws
// std::invalid_argument listing every problem.
SearchResult searchSchedule(const SearchRequest& request, std::stop_token stop = {});

}  // namespace bscope
