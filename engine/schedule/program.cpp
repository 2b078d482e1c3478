#include "schedule/program.h"

#include "schedule/lowering.h"

namespace bscope {

Program lower(const Schedule& schedule, Recompute recompute) {
    Program program{schedule, recompute, {}};
    const bool forward_only = schedule.isForwardOnly();
    for (const std::vector<Cell>& cells : lowerCells(schedule)) {
        std::vector<Action>& list = program.actions.emplace_back();
        list.reserve(cells.size() + 1);
        for (const Cell& cell : cells) {
            if (cell.kind != Cell::Kind::Action) continue;
            const Action& action = cell.action;
            const bool starts_backward = action.op == Op::Backward || action.op == Op::BackwardInput;
            if (starts_backward && recompute != Recompute::None)
                list.push_back({action.stage, Op::Recompute, action.microbatch});
            list.push_back(action);
        }
        if (!forward_only) list.push_back({-1, Op::OptimizerStep, -1});
    }
    return program;
}

}  // namespace bscope
