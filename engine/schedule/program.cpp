#include "schedule/program.h"

#include "schedule/lowering.h"

namespace bscope {

namespace {

constexpr Action kStep{-1, Op::OptimizerStep, -1};

// Recompute and optimizer steps of one rank around the lowered cells. An asynchronous step waits until the
// gradient that the last backward produced has been handed over.
std::vector<Action> rankProgram(const std::vector<Cell>& cells, const Schedule& schedule,
                                Recompute recompute) {
    std::vector<Action> list;
    list.reserve(cells.size() + 1);
    int backwards = 0;
    bool step_due = false;
    for (const Cell& cell : cells) {
        if (cell.kind != Cell::Kind::Action) continue;
        const Action& action = cell.action;
        if (step_due && !isSend(action.op)) {
            list.push_back(kStep);
            step_due = false;
        }
        const bool starts_backward = action.op == Op::Backward || action.op == Op::BackwardInput;
        if (starts_backward && recompute != Recompute::None)
            list.push_back({action.stage, Op::Recompute, action.microbatch});
        list.push_back(action);
        const bool ends_backward = action.op == Op::Backward || action.op == Op::BackwardWeight;
        if (ends_backward && schedule.step_every > 0) step_due = ++backwards % schedule.step_every == 0;
    }
    if (step_due) list.push_back(kStep);
    return list;
}

// At the end of every rank's list its stages in the order of their layers.
void addReductions(const Schedule& schedule, std::vector<std::vector<Action>>& lists) {
    for (std::size_t position = 0; position < schedule.chains.front().size(); ++position)
        for (const std::vector<int>& chain : schedule.chains) {
            const int rank = schedule.placement[static_cast<std::size_t>(chain[position])];
            lists[static_cast<std::size_t>(rank)].push_back({chain[position], Op::ReduceGradients, -1});
        }
}

}  // namespace

Program lower(const Schedule& schedule, Recompute recompute) {
    Program program{schedule, recompute, {}};
    const bool steps_at_the_end = schedule.step_every == 0 && !schedule.isForwardOnly();
    for (const std::vector<Cell>& cells : lowerCells(schedule))
        program.actions.push_back(rankProgram(cells, schedule, recompute));
    if (!steps_at_the_end) return program;
    if (schedule.replicas() > 1) addReductions(schedule, program.actions);
    for (std::vector<Action>& list : program.actions) list.push_back(kStep);
    return program;
}

}  // namespace bscope
