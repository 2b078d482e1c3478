#include "schedule/playback.h"

#include <stdexcept>
#include <string>

#include "words/said.h"

namespace bscope {

Playback::Playback(const Schedule& schedule)
    : placement_(schedule.placement),
      previous_(schedule.placement.size(), -1),
      next_(schedule.placement.size(), -1),
      microbatches_(at(schedule.microbatchesPerChain())) {
    for (const std::vector<int>& chain : schedule.chains) {
        for (std::size_t i = 1; i < chain.size(); ++i) {
            previous_.at(at(chain[i])) = chain[i - 1];
            next_.at(at(chain[i - 1])) = chain[i];
        }
    }
    for (std::size_t rank = 0; rank < schedule.orders.size(); ++rank) {
        for (const Action& action : schedule.orders[rank]) {
            const bool stage_exists = action.stage >= 0 && at(action.stage) < placement_.size();
            const bool microbatch_exists = action.microbatch >= 0 && at(action.microbatch) < microbatches_;
            if (!stage_exists || !microbatch_exists || placement_[at(action.stage)] != static_cast<int>(rank))
                throw SaidError<std::invalid_argument>(sentence(
                    "{0}: rank {1} cannot run {2}: no such stage on this rank, or no such micro-batch",
                    schedule.name, rank, toText(action)));
        }
    }
    forward_end_.assign(placement_.size() * microbatches_, kNotYet);
    backward_end_ = forward_end_;
    input_gradient_ = forward_end_;
}

int Playback::inputStage(const Action& action) const {
    switch (action.op) {
        case Op::Forward:
            return previous_[at(action.stage)];
        case Op::Backward:
        case Op::BackwardInput:
        case Op::Recompute:
            return next_[at(action.stage)];
        default:
            return -1;
    }
}

int Playback::outputStage(const Action& action) const {
    switch (action.op) {
        case Op::Forward:
            return next_[at(action.stage)];
        case Op::Backward:
        case Op::BackwardInput:
            return previous_[at(action.stage)];
        default:
            return -1;
    }
}

std::int64_t Playback::inputEnd(const Action& action, std::int64_t otherwise) const {
    const int from = inputStage(action);
    if (from < 0) return otherwise;
    const auto& ends = action.op == Op::Forward ? forward_end_ : backward_end_;
    return ends[slot(from, action.microbatch)];
}

bool Playback::isReady(const Action& action) const {
    switch (action.op) {
        case Op::Forward:
            return inputEnd(action) != kNotYet;
        case Op::Backward:
        case Op::BackwardInput:
        case Op::Recompute:
            return forward_end_[slot(action.stage, action.microbatch)] != kNotYet &&
                   inputEnd(action) != kNotYet;
        case Op::BackwardWeight:
            return input_gradient_[slot(action.stage, action.microbatch)] != kNotYet;
        default:
            return true;
    }
}

void Playback::finish(const Action& action, std::int64_t end) {
    if (action.op == Op::Forward) forward_end_[slot(action.stage, action.microbatch)] = end;
    if (action.op == Op::Backward || action.op == Op::BackwardInput)
        backward_end_[slot(action.stage, action.microbatch)] = end;
    if (action.op == Op::BackwardInput) input_gradient_[slot(action.stage, action.microbatch)] = end;
}

}  // namespace bscope
