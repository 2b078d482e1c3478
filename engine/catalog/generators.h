// Generators: one function a schedule, each in the file of its family; catalog.cpp names them.
// A generator may assume that its constraints hold; it fills placement, chains and orders (name and params
// are set by makeSchedule). Letters as in the papers: p ranks, v chunks a rank, m micro-batches, r a rank, w
// warm-up.
#pragma once

#include <functional>
#include <vector>

#include "schedule/problem.h"
#include "schedule/schedule.h"

namespace bscope::generators {

// One chain over the placement, p empty orders.
Schedule singleChain(const ScheduleParams& params, std::vector<int> placement);
// Two replicas in opposite directions: chain 0 is stages 0..p-1 on ranks 0..p-1, chain 1 stages p..2p-1 on
// ranks p-1..0. m counts the micro-batches of both.
Schedule twoChains(const ScheduleParams& params);
// 1F1B with the given number of warm-up forwards of each rank.
Schedule oneForwardOneBackward(const ScheduleParams& params, const std::function<int(int)>& warmup);

Schedule naive(const ScheduleParams& params);               // naive.cpp
Schedule gpipe(const ScheduleParams& params);               // gpipe.cpp: backward 0..m-1
Schedule gpipeLifo(const ScheduleParams& params);           //            backward m-1..0
Schedule oneFOneB(const ScheduleParams& params);            // one_f_one_b.cpp
Schedule eagerOneFOneB(const ScheduleParams& params);       // eager_1f1b.cpp
Schedule interleaved(const ScheduleParams& params);         // interleaved.cpp: Megatron's group size
Schedule interleavedPyTorch(const ScheduleParams& params);  //                  PyTorch's rounds
Schedule interleavedCombined(const ScheduleParams& params);  //                  Megatron's combined 1F1B
Schedule seq1f1b(const ScheduleParams& params);              // seq1f1b.cpp: params.segments of every sequence
Schedule loopedBfs(const ScheduleParams& params);           // looped_bfs.cpp
Schedule forwardOnly(const ScheduleParams& params);         // forward_only.cpp
Schedule zbInterleaved(const ScheduleParams& params);       // zero_bubble.cpp: with v = 1 ZB-H1
Schedule zbH2(const ScheduleParams& params);
Schedule zbV(const ScheduleParams& params);    // zb_v.cpp
Schedule vHalf(const ScheduleParams& params);  // controllable_memory.cpp
Schedule vMin(const ScheduleParams& params);
Schedule vOneFOneB(const ScheduleParams& params);
Schedule dualPipe(const ScheduleParams& params);   // dualpipe.cpp: two replicas
Schedule dualPipeV(const ScheduleParams& params);  //               one replica in a V
Schedule chimera(const ScheduleParams& params);    // chimera.cpp: two replicas
Schedule hanayo(const ScheduleParams& params);     // hanayo.cpp
// Asynchronous: never flushed. m is the number of mini-batches (PipeDream) or of micro-batches of one batch
// (2BW).
Schedule pipeDream(const ScheduleParams& params);  // pipedream.cpp
Schedule pipeDream2bw(const ScheduleParams& params, int batches);
Schedule pipeDream2bwStream(const ScheduleParams& params);  // kStreamBatches of them
inline constexpr int kStreamBatches = 3;

// What the schedules ask of p, v and m beyond the catalog's own limits.
std::vector<Problem> interleavedProblems(const ScheduleParams& params);
std::vector<Problem> roundProblems(const ScheduleParams& params);  // PyTorch: m in equal rounds
std::vector<Problem> evenProblems(const ScheduleParams& params);   // two directions: p and m even
std::vector<Problem> chimeraProblems(const ScheduleParams& params);
std::vector<Problem> dualPipeProblems(const ScheduleParams& params);
std::vector<Problem> dualPipeVProblems(const ScheduleParams& params);
std::vector<Problem> hanayoProblems(const ScheduleParams& params);
std::vector<Problem> doubleBufferProblems(const ScheduleParams& params);  // 2BW: m >= p

}  // namespace bscope::generators
