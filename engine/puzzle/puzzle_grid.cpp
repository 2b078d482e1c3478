#include "puzzle/puzzle_grid.h"

#include <algorithm>

#include "puzzle/blocked.h"
#include "schedule/index.h"
#include "schedule/validate.h"

namespace bscope {

namespace {

// What an operation and its backward are made of.
struct Placed {
    bool forward = false, whole = false, input = false, weight = false;
    bool backwardBegun() const { return whole || input || weight; }
};

std::vector<Placed> placedOf(const Schedule& schedule) {
    std::vector<Placed> placed(schedule.placement.size() * at(schedule.params.m));
    for (const std::vector<Action>& order : schedule.orders)
        for (const Action& action : order) {
            Placed& each = placed[at(action.stage) * at(schedule.params.m) + at(action.microbatch)];
            switch (action.op) {
                case Op::Forward:
                    each.forward = true;
                    break;
                case Op::Backward:
                    each.whole = true;
                    break;
                case Op::BackwardInput:
                    each.input = true;
                    break;
                default:
                    each.weight = true;
            }
        }
    return placed;
}

// What is missing, stage by stage forward and then backward, so that at the ends of the ranks all inputs come
// first.
Schedule completed(Schedule schedule) {
    const std::vector<Placed> placed = placedOf(schedule);
    const int stages = schedule.stageCount(), m = schedule.params.m;
    const auto of = [&](int stage, int i) { return placed[at(stage) * at(m) + at(i)]; };
    const auto append = [&](const Action& action) {
        schedule.orders[at(schedule.placement[at(action.stage)])].push_back(action);
    };
    for (int stage = 0; stage < stages; ++stage)
        for (int i = 0; i < m; ++i)
            if (!of(stage, i).forward) append({stage, Op::Forward, i});
    for (int stage = stages - 1; stage >= 0; --stage)
        for (int i = 0; i < m; ++i) {
            if (!of(stage, i).backwardBegun()) append({stage, Op::Backward, i});
            if (of(stage, i).input && !of(stage, i).weight) append({stage, Op::BackwardWeight, i});
        }
    return schedule;
}

bool belongs(const PuzzleLevel& level, const Schedule& schedule, int rank, const Action& action) {
    const bool known = action.op == Op::Forward || action.op == Op::Backward ||
                       action.op == Op::BackwardInput || action.op == Op::BackwardWeight;
    return known && action.stage >= 0 && action.stage < schedule.stageCount() && action.microbatch >= 0 &&
           action.microbatch < level.m && schedule.placement[at(action.stage)] == rank;
}

bool isHalf(const Action& action) {
    return action.op == Op::BackwardInput || action.op == Op::BackwardWeight;
}

}  // namespace

PuzzleGrid::PuzzleGrid(const PuzzleLevel& level)
    : level_(&level), schedule_(level.empty()), states_{schedule_.orders} {}

const std::vector<Action>& PuzzleGrid::order(int rank) const {
    return schedule_.orders[at(rank)];
}

std::optional<PuzzleRefusal> PuzzleGrid::refusal(const Orders& orders) const {
    Schedule candidate = schedule_;
    candidate.orders = orders;
    for (int rank = 0; rank < level_->p; ++rank)
        for (std::size_t i = 0; i < orders[at(rank)].size(); ++i) {
            const Action& action = orders[at(rank)][i];
            if (!level_->split && isHalf(action))
                return PuzzleRefusal{sentence("{0}: this level has whole backwards only", toText(action)),
                                     action, std::nullopt};
            if (belongs(*level_, candidate, rank, action)) continue;
            for (const ScheduleError& error : locateErrors(candidate))
                if (error.rank == rank && error.position == static_cast<int>(i))
                    return PuzzleRefusal{error.what, action, std::nullopt};
        }
    if (auto blocked = blockedIn(candidate, level_->split)) return blocked;
    const std::vector<ScheduleError> errors = locateErrors(completed(candidate));
    if (errors.empty()) return std::nullopt;
    return PuzzleRefusal{errors.front().what, std::nullopt, std::nullopt};
}

std::optional<PuzzleRefusal> PuzzleGrid::take(Orders orders) {
    for (std::vector<Action>& order : orders)
        for (Action& action : order) action.overlaps_next = false;
    if (orders == schedule_.orders) return std::nullopt;
    if (auto refused = refusal(orders)) return refused;
    schedule_.orders = orders;
    states_.resize(++at_);
    states_.push_back(std::move(orders));
    return std::nullopt;
}

namespace {

void insert(std::vector<Action>& order, const Action& action, int position) {
    const int place = std::clamp(position, 0, static_cast<int>(order.size()));
    order.insert(order.begin() + place, action);
}

}  // namespace

std::optional<PuzzleRefusal> PuzzleGrid::wouldRefuse(const Action& action, int position) const {
    const bool exists = action.stage >= 0 && action.stage < schedule_.stageCount();
    Orders orders = schedule_.orders;
    // Of a stage that does not exist the validator says so, on any rank.
    insert(orders[exists ? at(schedule_.placement[at(action.stage)]) : 0], action, position);
    return refusal(orders);
}

std::optional<PuzzleRefusal> PuzzleGrid::place(const Action& action, int position) {
    if (auto refused = wouldRefuse(action, position)) return refused;
    Orders orders = schedule_.orders;
    insert(orders[at(schedule_.placement[at(action.stage)])], action, position);
    return take(std::move(orders));
}

std::optional<PuzzleRefusal> PuzzleGrid::move(int rank, int from, int to) {
    Orders orders = schedule_.orders;
    std::vector<Action>& order = orders[at(rank)];
    const Action moved = order.at(at(from));
    order.erase(order.begin() + from);
    insert(order, moved, to);
    return take(std::move(orders));
}

std::optional<PuzzleRefusal> PuzzleGrid::remove(int rank, int position) {
    Orders orders = schedule_.orders;
    std::vector<Action>& order = orders[at(rank)];
    const Action removed = order.at(at(position));
    order.erase(order.begin() + position);
    auto refused = take(std::move(orders));
    if (refused && refused->blocked)
        refused->why = sentence("{0} cannot be removed: {1} needs it. Remove that first", toText(removed),
                                toText(*refused->blocked));
    return refused;
}

std::optional<PuzzleRefusal> PuzzleGrid::open(Orders orders) {
    if (orders.size() > at(level_->p))
        return PuzzleRefusal{
            sentence("there are {0} ranks, and this level has {1}", orders.size(), level_->p), std::nullopt,
            std::nullopt};
    orders.resize(at(level_->p));
    return take(std::move(orders));
}

void PuzzleGrid::clear() {
    take(Orders(at(level_->p)));
}

void PuzzleGrid::undo() {
    if (canUndo()) schedule_.orders = states_[--at_];
}

void PuzzleGrid::redo() {
    if (canRedo()) schedule_.orders = states_[++at_];
}

PuzzleGrid::Orders PuzzleGrid::left() const {
    const std::vector<Placed> placed = placedOf(schedule_);
    Orders left(at(level_->p));
    for (const Op op : {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight})
        for (int stage = 0; stage < schedule_.stageCount(); ++stage)
            for (int i = 0; i < level_->m; ++i) {
                const Placed& each = placed[at(stage) * at(level_->m) + at(i)];
                const bool open = op == Op::Forward         ? !each.forward
                                  : op == Op::Backward      ? !each.backwardBegun()
                                  : op == Op::BackwardInput ? level_->split && !each.backwardBegun()
                                                            : level_->split && !each.whole && !each.weight;
                if (open) left[at(schedule_.placement[at(stage)])].push_back({stage, op, i});
            }
    return left;
}

int PuzzleGrid::missingCount() const {
    int missing = 0;
    for (const Placed& each : placedOf(schedule_))
        missing +=
            (each.forward ? 0 : 1) + (each.backwardBegun() ? 0 : 1) + (each.input && !each.weight ? 1 : 0);
    return missing;
}

std::optional<PuzzlePlace> placeOf(const Schedule& schedule, const Action& action) {
    for (std::size_t rank = 0; rank < schedule.orders.size(); ++rank) {
        const std::vector<Action>& order = schedule.orders[rank];
        const auto found = std::ranges::find(order, action);
        if (found != order.end())
            return PuzzlePlace{static_cast<int>(rank), static_cast<int>(found - order.begin())};
    }
    return std::nullopt;
}

}  // namespace bscope
