// Program: a lowered schedule, what each rank's worker executes: compute with communication, recompute and
// the optimizer step in place. Built from one global order in which the sender places the peer's receive, so
// every rank's order is a projection of that one order and no interleaving of ranks can deadlock.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.h"

namespace bscope {

enum class Recompute : std::uint8_t { None, Full, Selective };

struct Program {
    Schedule schedule;
    Recompute recompute = Recompute::None;
    // (ranks, ...) RECV: post an asynchronous receive here (the consuming F, B, I or R waits for it);
    // SEND: hand over without blocking; R directly before its B or I; REDUCE_GRAD of every stage when there
    // are replicas, in the order of the layers, so that copies meet; then one OPT (not in forward-only), or
    // one after every step_every backwards of an asynchronous schedule; last, under ZeRO, GATHER_WEIGHTS of
    // every stage in the same order.
    std::vector<std::vector<Action>> actions;
};

// Throws std::invalid_argument naming the action each rank gets stuck at, when the schedule's orders
// contradict their dependencies.
Program lower(Schedule schedule, Recompute recompute = Recompute::None);

}  // namespace bscope
