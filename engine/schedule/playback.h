// Playback: how far a Schedule has been played: which outputs exist and since when. The one place that knows
// what an action waits for:
//   F(s,i) <- F(s-1,i);   B|I(s,i) <- F(s,i) and B|I(s+1,i);   R as its B or I;   W(s,i) <- I(s,i);
// where sequences are cut, of segment j in addition, which reads keys and values of those before it and whose
// gradients of these come from those after it (arXiv:2406.03488):
//   F(s,i,j) <- F(s,i,j-1);   B|I(s,i,j) <- B|I(s,i,j+1);
// and where a model serves, of the first stage s and the last one l, the step k after step i of a group:
//   F(s,k) <- F(l,i).
// lower(), predict(), the deadlock check and the grid all use it. A value for one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "schedule/index.h"
#include "schedule/schedule.h"

namespace bscope {

class Playback {
public:
    static constexpr std::int64_t kNotYet = std::numeric_limits<std::int64_t>::max();

    // Throws std::invalid_argument when an action names a stage, rank or micro-batch outside the schedule.
    explicit Playback(const Schedule& schedule);

    // The stage whose output the action waits for: the previous one for F, the next one for B, I and R; -1
    // when it waits for none.
    int inputStage(const Action& action) const {
        if (action.op == Op::Forward) {
            const int before = previous_[at(action.stage)];
            return before >= 0 ? before : otherEnd(links_.previous, action);
        }
        return waitsForGradient(action.op) ? next_[at(action.stage)] : -1;
    }
    // The stage that waits for the output of F, B or I; -1 when none does.
    int outputStage(const Action& action) const {
        if (action.op == Op::Forward) {
            const int after = next_[at(action.stage)];
            return after >= 0 ? after : otherEnd(links_.next, action);
        }
        return makesGradient(action.op) ? previous_[at(action.stage)] : -1;
    }
    // Of which micro-batch that input and that output are: the action's own, but where F goes on from the
    // last stage to the first.
    std::int32_t inputMicrobatch(const Action& action) const {
        const bool is_linked = action.op == Op::Forward && previous_[at(action.stage)] < 0;
        return is_linked && !links_.previous.empty() ? links_.previous[at(action.microbatch)]
                                                     : action.microbatch;
    }
    std::int32_t outputMicrobatch(const Action& action) const {
        const bool is_linked = action.op == Op::Forward && next_[at(action.stage)] < 0;
        return is_linked && !links_.next.empty() ? links_.next[at(action.microbatch)] : action.microbatch;
    }
    int rank(int stage) const { return placement_[at(stage)]; }
    // True when the two neighbouring stages of a message live on different ranks.
    bool crossesRanks(int stage, int other) const { return rank(stage) != rank(other); }

    // True when every input of a compute action has been produced.
    bool isReady(const Action& action) const {
        if (action.op == Op::Forward)
            return inputEnd(action) != kNotYet &&
                   (action.segment() <= 0 || forward_end_[slot(action) - 1] != kNotYet);
        if (waitsForGradient(action.op))
            return forward_end_[slot(action)] != kNotYet && inputEnd(action) != kNotYet &&
                   (action.segment() < 0 || action.segment() + 1 == params_.segments ||
                    backward_end_[slot(action) + 1] != kNotYet);
        return action.op != Op::BackwardWeight ||
               (!input_gradient_.empty() && input_gradient_[slot(action)] != kNotYet);
    }
    // When the output that the action waits for from inputStage() was produced; kNotYet when it was not,
    // `otherwise` when the action waits for none.
    std::int64_t inputEnd(const Action& action, std::int64_t otherwise = 0) const {
        const int from = inputStage(action);
        if (from < 0) return otherwise;
        if (action.op != Op::Forward) return backward_end_[slot(action.withStage(from))];
        return forward_end_[slot({from, Op::Forward, inputMicrobatch(action), false, action.segment()})];
    }
    // Marks the output of a compute action as produced at `end`.
    void finish(const Action& action, std::int64_t end = 0) {
        if (action.op == Op::Forward) forward_end_[slot(action)] = end;
        if (makesGradient(action.op)) backward_end_[slot(action)] = end;
        if (action.op != Op::BackwardInput) return;
        if (input_gradient_.empty()) clear(input_gradient_);
        input_gradient_[slot(action)] = end;
    }

private:
    static bool makesGradient(Op op) { return op == Op::Backward || op == Op::BackwardInput; }
    static bool waitsForGradient(Op op) { return makesGradient(op) || op == Op::Recompute; }
    std::size_t slot(const Action& action) const {
        return at(action.stage) * pieces_ + at(params_.pieceOf(action));
    }
    // The stage at the other end of the chain, where a step is linked to the action's across it.
    int otherEnd(const std::vector<int>& links, const Action& action) const {
        return links.empty() || links[at(action.microbatch)] < 0 ? -1 : other_end_[at(action.stage)];
    }

    std::vector<int> placement_, previous_, next_;  // (stages,)
    std::vector<int> other_end_;                    // (stages,) of the first and the last of a chain; else -1
    StepLinks links_;
    ScheduleParams params_;
    std::size_t pieces_ = 0;
    void clear(std::vector<std::int64_t>& ends) const;
    // (stages, m, segments) kNotYet until produced; input_gradient_ is empty until a backward is split.
    std::vector<std::int64_t> forward_end_, backward_end_, input_gradient_;
};

struct Stuck {
    int rank = 0;
    Action action;
};

// Plays the lists of all ranks, each in its order, and calls visit(rank, position) for every action once
// isReady(rank, position); communication and the optimizer step are always ready in a list of a Program.
// The order across ranks is some order in which all inputs come first. Returns the first action that can
// never run. visit must finish() what it plays, `ready(rank, position)` decides.
template <class Ready, class Visit>
std::optional<Stuck> playAll(const std::vector<std::vector<Action>>& lists, const Playback& playback,
                             Ready ready, Visit visit) {
    const std::size_t ranks = lists.size();
    std::vector<std::size_t> position(ranks, 0);
    std::vector<bool> queued(ranks, true);
    std::deque<std::size_t> queue;
    for (std::size_t rank = 0; rank < ranks; ++rank) queue.push_back(rank);
    while (!queue.empty()) {
        const std::size_t rank = queue.front();
        queue.pop_front();
        queued[rank] = false;
        while (position[rank] < lists[rank].size() && ready(rank, position[rank])) {
            visit(rank, position[rank]);
            const int consumer = playback.outputStage(lists[rank][position[rank]++]);
            if (consumer < 0) continue;
            const auto waiting = static_cast<std::size_t>(playback.rank(consumer));
            if (waiting == rank || queued[waiting]) continue;
            queued[waiting] = true;
            queue.push_back(waiting);
        }
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
        if (position[rank] < lists[rank].size())
            return Stuck{static_cast<int>(rank), lists[rank][position[rank]]};
    return std::nullopt;
}

}  // namespace bscope
