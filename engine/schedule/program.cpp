#include "schedule/program.h"

#include <utility>

#include "host/large_pages.h"
#include "schedule/lowering_pass.h"

namespace bscope {

namespace {

constexpr Action kStep{-1, Op::OptimizerStep, -1};

// The lists of the ranks as cells are lowered: recomputation and asynchronous optimizer steps go around them.
// Such a step waits until the gradient that the last backward produced has been handed over.
class RankLists {
public:
    RankLists(const Schedule& schedule, Recompute recompute)
        : step_every_(schedule.step_every),
          recomputes_(recompute != Recompute::None),
          lists_(schedule.orders.size()),
          steps_(schedule.orders.size()) {
        const std::size_t most = recomputes_ ? 4 : 3;  // of an action: its receive, R, itself and its send
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            reserveLarge(lists_[rank], most * schedule.orders[rank].size() + 1);
    }

    void operator()(std::size_t rank, const Cell& cell) {
        if (cell.kind != Cell::Kind::Action) return;
        const Action& action = cell.action;
        std::vector<Action>& list = lists_[rank];
        if (steps_[rank].due && !isSend(action.op)) step(rank);
        const bool starts_backward = action.op == Op::Backward || action.op == Op::BackwardInput;
        if (starts_backward && recomputes_) list.push_back(action.as(Op::Recompute));
        list.push_back(action);
        const bool ends_backward = action.op == Op::Backward || action.op == Op::BackwardWeight;
        if (ends_backward && step_every_ > 0) steps_[rank].due = ++steps_[rank].backwards % step_every_ == 0;
    }

    std::vector<std::vector<Action>> take() && {
        for (std::size_t rank = 0; rank < lists_.size(); ++rank)
            if (steps_[rank].due) step(rank);
        return std::move(lists_);
    }

private:
    struct Steps {
        int backwards = 0;
        bool due = false;
    };

    void step(std::size_t rank) {
        lists_[rank].push_back(kStep);
        steps_[rank].due = false;
    }

    int step_every_;
    bool recomputes_;
    std::vector<std::vector<Action>> lists_;
    std::vector<Steps> steps_;  // (ranks,)
};

// At the end of every rank's list its stages in the order of their layers.
void addOfCopies(Op op, const Schedule& schedule, std::vector<std::vector<Action>>& lists) {
    for (std::size_t position = 0; position < schedule.chains.front().size(); ++position)
        for (const std::vector<int>& chain : schedule.chains) {
            const int rank = schedule.placement[static_cast<std::size_t>(chain[position])];
            lists[static_cast<std::size_t>(rank)].push_back({chain[position], op, -1});
        }
}

}  // namespace

Program lower(Schedule schedule, Recompute recompute) {
    RankLists lists(schedule, recompute);
    LoweringPass(schedule, lists).run();
    Program program{std::move(schedule), recompute, std::move(lists).take()};
    if (program.schedule.step_every > 0 || program.schedule.isForwardOnly()) return program;
    if (program.schedule.replicas() > 1) addOfCopies(Op::ReduceGradients, program.schedule, program.actions);
    for (std::vector<Action>& list : program.actions) list.push_back(kStep);
    if (program.schedule.params.zero > 0) addOfCopies(Op::GatherWeights, program.schedule, program.actions);
    return program;
}

}  // namespace bscope
