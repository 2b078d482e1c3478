// Generators: one function a schedule, each in the file of its family; catalog.cpp names them.
// A generator may assume that its constraints hold; it fills placement, chains and orders (name and params are
// set by makeSchedule). Letters as in the papers: p ranks, v chunks a rank, m micro-batches, r a rank, w warm-up.
#pragma once

#include <vector>

#include "schedule/problem.h"
#include "schedule/schedule.h"

namespace bscope::generators {

// One chain over the placement, p empty orders.
Schedule singleChain(const ScheduleParams& params, std::vector<int> placement);

Schedule naive(const ScheduleParams& params);        // naive.cpp
Schedule gpipe(const ScheduleParams& params);        // gpipe.cpp: backward 0..m-1
Schedule gpipeLifo(const ScheduleParams& params);    //            backward m-1..0
Schedule oneFOneB(const ScheduleParams& params);     // one_f_one_b.cpp
Schedule interleaved(const ScheduleParams& params);  // interleaved.cpp: Megatron's group size
std::vector<Problem> interleavedProblems(const ScheduleParams& params);
Schedule forwardOnly(const ScheduleParams& params);  // forward_only.cpp

}  // namespace bscope::generators
