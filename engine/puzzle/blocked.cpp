#include "puzzle/blocked.h"

#include "schedule/index.h"
#include "schedule/playback.h"

namespace bscope {

namespace {

struct Wait {
    Action blocked, missing;
    std::optional<PuzzlePlace> placed;  // of what is missing
    bool gradient = false;              // B and I both give it, neither is placed
};

bool ownForwardDone(const Playback& playback, const Action& action) {
    const Action forward{action.stage, Op::Forward, action.microbatch};
    const int next = playback.outputStage(forward);
    if (next >= 0) return playback.inputEnd({next, Op::Forward, action.microbatch}) != Playback::kNotYet;
    return playback.isReady({action.stage, Op::Backward, action.microbatch});  // waits for nothing else
}

Wait waitOf(const Schedule& schedule, const Playback& playback, const Action& action) {
    Wait wait{action, {action.stage, Op::Forward, action.microbatch}, {}, false};
    if (action.op == Op::BackwardWeight) {
        wait.missing.op = Op::BackwardInput;
    } else if (action.op == Op::Forward) {
        wait.missing = wait.missing.withStage(playback.inputStage(action));
    } else if (ownForwardDone(playback, action)) {
        const int from = playback.inputStage(action);
        wait.missing = {from, Op::BackwardInput, action.microbatch};
        if (!placeOf(schedule, wait.missing)) wait.missing.op = Op::Backward;
        wait.gradient = !placeOf(schedule, wait.missing);
    }
    wait.placed = placeOf(schedule, wait.missing);
    return wait;
}

Sentence reason(const Schedule& schedule, const Wait& wait, bool split) {
    const int rank = schedule.placement[at(wait.blocked.stage)];
    const int other = schedule.placement[at(wait.missing.stage)];
    const std::string blocked = toText(wait.blocked), missing = toText(wait.missing);
    if (wait.gradient && split)
        return sentence("{0} on rank {1} needs the gradient of rank {2}: {3} or {4}, and neither is placed",
                        blocked, rank, other, missing,
                        toText(Action{wait.missing.stage, Op::BackwardInput, wait.missing.microbatch}));
    if (!wait.placed)
        return sentence("{0} on rank {1} needs {2} of rank {3}, which is not placed", blocked, rank, missing,
                        other);
    if (other == rank)
        return sentence("{0} on rank {1} needs {2}, which comes later on this rank", blocked, rank, missing);
    return sentence("{0} on rank {1} needs {2} of rank {3}, which can never run in this order", blocked, rank,
                    missing, other);
}

}  // namespace

std::optional<PuzzleRefusal> blockedIn(const Schedule& schedule, bool split) {
    Playback playback(schedule);
    std::vector<std::size_t> next(schedule.orders.size(), 0);
    const auto stuck = playAll(
        schedule.orders, playback,
        [&](std::size_t rank, std::size_t i) { return playback.isReady(schedule.orders[rank][i]); },
        [&](std::size_t rank, std::size_t i) {
            playback.finish(schedule.orders[rank][i]);
            next[rank] = i + 1;
        });
    if (!stuck) return std::nullopt;
    std::optional<Wait> worst;
    const auto weight = [&](const Wait& wait) {
        return !wait.placed ? 2 : wait.placed->rank == schedule.placement[at(wait.blocked.stage)] ? 1 : 0;
    };
    for (std::size_t rank = 0; rank < next.size(); ++rank) {
        if (next[rank] == schedule.orders[rank].size()) continue;
        const Wait wait = waitOf(schedule, playback, schedule.orders[rank][next[rank]]);
        if (!worst || weight(wait) > weight(*worst)) worst = wait;
    }
    return PuzzleRefusal{reason(schedule, *worst, split), worst->blocked, worst->missing};
}

}  // namespace bscope
