// LoweringPass: the round robin behind lowerCells() and lower() (lowering.h says its rules). Cells go to a
// sink as they are placed, so that no list of a whole schedule is made twice; a rank whose next action waits
// is looked at again once something for it was produced, which keeps the order of the round robin.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

#include "schedule/lowering.h"
#include "schedule/playback.h"
#include "words/sentence_error.h"

namespace bscope {

// A cell about weights and the action of the rank's order that it stands before.
struct WeightCell {
    std::size_t before = 0;
    Cell cell;
};

// Of one rank's order: UNSHARD before the first need of a stage's weights, RESHARD when others take its
// place; PyTorch keeps the weights of the next three distinct stages.
std::vector<WeightCell> weightCells(const std::vector<Action>& order);

// Sink: void operator()(std::size_t rank, const Cell& cell), called in the order of each rank's list.
template <class Sink>
class LoweringPass {
public:
    LoweringPass(const Schedule& schedule, Sink& sink)
        : schedule_(schedule), sink_(sink), playback_(schedule), ranks_(schedule.orders.size()) {
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            ranks_[rank].weights = weightCells(schedule.orders[rank]);
    }

    // Throws std::invalid_argument naming the action each rank gets stuck at.
    void run() {
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
                if (!ranks_[rank].awake) continue;
                ranks_[rank].awake = takeTurn(rank);
                progress |= ranks_[rank].awake;
            }
        }
        requireAllDone();
    }

private:
    struct Rank {
        std::vector<WeightCell> weights;
        std::size_t next = 0, next_weight = 0;
        bool awake = true;
    };

    const std::vector<Action>& order(std::size_t rank) const { return schedule_.orders[rank]; }

    // One cell; an overlapped pair is one cell and takes one turn, unless a cell about weights stands between
    // its halves. These stay two actions, each with its send. False when the rank must wait or is done.
    bool takeTurn(std::size_t rank_index) {
        Rank& rank = ranks_[rank_index];
        if (placeWeights(rank_index)) return true;
        const std::vector<Action>& own = order(rank_index);
        if (rank.next == own.size()) return false;
        const Action& action = own[rank.next];
        if (!playback_.isReady(action)) return false;
        if (action.overlaps_next && !playback_.isReady(own.at(rank.next + 1))) return false;
        place(rank_index, action);
        if (action.overlaps_next && !placeWeights(rank_index)) place(rank_index, own[rank.next]);
        return true;
    }

    bool placeWeights(std::size_t rank_index) {
        Rank& rank = ranks_[rank_index];
        if (rank.next_weight == rank.weights.size() || rank.weights[rank.next_weight].before != rank.next)
            return false;
        sink_(rank_index, rank.weights[rank.next_weight++].cell);
        return true;
    }

    void place(std::size_t rank, const Action& action) {
        ++ranks_[rank].next;
        sink_(rank, Cell{Cell::Kind::Action, action});
        playback_.finish(action);
        const int consumer = playback_.outputStage(action);
        if (consumer < 0) return;
        const auto receiver = at(playback_.rank(consumer));
        ranks_[receiver].awake = true;
        if (receiver == at(playback_.rank(action.stage))) return;
        const bool forward = action.op == Op::Forward;
        sink_(rank, Cell{Cell::Kind::Action, action.as(forward ? Op::SendForward : Op::SendBackward)});
        sink_(receiver, Cell{Cell::Kind::Action,
                             {consumer, forward ? Op::RecvForward : Op::RecvBackward,
                              playback_.outputMicrobatch(action), false, action.segment()}});
    }

    void requireAllDone() const {
        std::vector<Sentence> standing;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            if (ranks_[rank].next < order(rank).size())
                standing.push_back(
                    sentence("rank {0} can never run {1}", rank, toText(order(rank)[ranks_[rank].next])));
        if (!standing.empty())
            throw SentenceError<std::invalid_argument>(sentence(
                "{0}: the orders of the ranks contradict each other: {1}", schedule_.name, inARow(standing)));
    }

    const Schedule& schedule_;
    Sink& sink_;
    Playback playback_;
    std::vector<Rank> ranks_;
};

}  // namespace bscope
