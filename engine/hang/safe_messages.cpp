// safeMessages: the computation is played with free links; what happens at the same time stands in one order
// for all ranks, a message before the computation that starts then.
#include <algorithm>
#include <tuple>

#include "hang/message_rules.h"
#include "schedule/index.h"
#include "schedule/playback.h"

namespace bscope {

namespace {

constexpr std::int64_t kUnit = 1;  // F, I and W; what counts is that nothing lasts no time

std::int64_t unitsOf(const Action& action) {
    return action.op == Op::Backward ? 2 * kUnit : kUnit;
}

struct Moment {
    std::int64_t when = 0;
    bool is_computation = false;  // after the messages of the same time
    std::size_t sequence = 0;     // of the computation, or of what makes the message
    int rank = 0;
    std::size_t position = 0;  // in the rank's order
    bool operator<(const Moment& other) const {
        return std::tie(when, is_computation, sequence) <
               std::tie(other.when, other.is_computation, other.sequence);
    }
};

// Computation where it starts and messages where they are made, by time.
std::vector<Moment> momentsOf(const Schedule& schedule, const Playback& shape) {
    Playback playback(schedule);
    std::vector<Moment> moments;
    std::vector<std::int64_t> free_at(schedule.orders.size(), 0);
    const auto order = [&](std::size_t rank) -> const std::vector<Action>& { return schedule.orders[rank]; };
    const auto isPair = [&](std::size_t rank, std::size_t i) {
        return order(rank)[i].overlaps_next && i + 1 < order(rank).size();
    };
    const auto isSecond = [&](std::size_t rank, std::size_t i) { return i > 0 && isPair(rank, i - 1); };
    const auto ready = [&](std::size_t rank, std::size_t i) {
        return playback.isReady(order(rank)[i]) && (!isPair(rank, i) || playback.isReady(order(rank)[i + 1]));
    };
    const auto inputOf = [&](std::size_t rank, std::size_t i) {
        return std::max<std::int64_t>(0, playback.inputEnd(order(rank)[i]));
    };
    std::size_t sequence = 0;
    playAll(schedule.orders, playback, ready, [&](std::size_t rank, std::size_t i) {
        const Action& action = order(rank)[i];
        std::int64_t start = std::max(free_at[rank], inputOf(rank, i)), end = start + unitsOf(action);
        if (isPair(rank, i)) {  // both halves start together and end together
            start = std::max(start, inputOf(rank, i + 1));
            end = start + unitsOf(action) + unitsOf(order(rank)[i + 1]);
        } else if (isSecond(rank, i)) {
            end = free_at[rank];
            start = end - unitsOf(order(rank)[i - 1]) - unitsOf(action);
        }
        free_at[rank] = end;
        playback.finish(action, end);
        moments.push_back({start, true, sequence, static_cast<int>(rank), i});
        const int to = shape.outputStage(action);
        if (to >= 0 && shape.crossesRanks(action.stage, to))
            moments.push_back({end, false, sequence, static_cast<int>(rank), i});
        ++sequence;
    });
    std::sort(moments.begin(), moments.end());
    return moments;
}

// Of one rank: what is neither computation nor a message, by the computation it stands before.
struct OtherCells {
    std::vector<std::pair<std::size_t, Cell>> cells;
    std::size_t next = 0;
};

OtherCells otherCells(const std::vector<FileCell>& row) {
    OtherCells others;
    std::size_t computed = 0;
    for (const auto& [cell, column] : row)
        if (cell.kind != Cell::Kind::Action || cell.action.op == Op::ReduceGradients)
            others.cells.emplace_back(computed, cell);
        else if (isCompute(cell.action.op))
            ++computed;
    return others;
}

}  // namespace

std::vector<std::vector<Cell>> safeMessages(const ScheduleFile& file) {
    const Schedule& schedule = file.schedule;
    const Playback shape(schedule);
    std::vector<std::vector<Cell>> lists(schedule.orders.size());
    std::vector<OtherCells> others(schedule.orders.size());
    for (std::size_t rank = 0; rank < file.rows.size(); ++rank) others[rank] = otherCells(file.rows[rank]);
    const auto placeOthers = [&](std::size_t rank, std::size_t before) {
        OtherCells& own = others[rank];
        for (; own.next < own.cells.size() && own.cells[own.next].first <= before; ++own.next)
            lists[rank].push_back(own.cells[own.next].second);
    };
    for (const Moment& moment : momentsOf(schedule, shape)) {
        const auto rank = at(moment.rank);
        const Action& action = schedule.orders[rank][moment.position];
        if (moment.is_computation) {
            placeOthers(rank, moment.position);
            lists[rank].push_back({Cell::Kind::Action, action});
            continue;
        }
        const int to = shape.outputStage(action);
        const bool forward = action.op == Op::Forward;
        lists[rank].push_back(
            {Cell::Kind::Action,
             {action.stage, forward ? Op::SendForward : Op::SendBackward, action.microbatch}});
        lists[at(shape.rank(to))].push_back(
            {Cell::Kind::Action, {to, forward ? Op::RecvForward : Op::RecvBackward, action.microbatch}});
    }
    for (std::size_t rank = 0; rank < lists.size(); ++rank) placeOthers(rank, schedule.orders[rank].size());
    return lists;
}

}  // namespace bscope
