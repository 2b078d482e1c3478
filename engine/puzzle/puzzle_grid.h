// PuzzleGrid: a schedule that is built operation by operation. Invariant: what is placed can be played
// to the end as it stands, and it can be completed by adding operations at the ends of the ranks; what breaks
// that is refused, with the reason. Whether an operation can begin is up to Playback, everything else to the
// validator. An operation begins as early as its rank and its inputs allow. A value for one thread.
#pragma once

#include <optional>
#include <vector>

#include "puzzle/level.h"
#include "words/sentence.h"

namespace bscope {

// Why a move is not possible.
struct PuzzleRefusal {
    Sentence why;
    std::optional<Action> blocked;  // could not run
    std::optional<Action> missing;  // what it waits for, placed too late or not at all
};

class PuzzleGrid {
public:
    using Orders = std::vector<std::vector<Action>>;  // (p, ...)

    explicit PuzzleGrid(const PuzzleLevel& level);

    const PuzzleLevel& level() const { return *level_; }
    const Schedule& schedule() const { return schedule_; }
    const std::vector<Action>& order(int rank) const;

    // Before the operation that stands at `position` of its rank; positions beyond the end mean the end.
    // What is refused changes nothing.
    std::optional<PuzzleRefusal> place(const Action& action, int position);
    std::optional<PuzzleRefusal> move(int rank, int from, int to);  // `to` as in the order without it
    std::optional<PuzzleRefusal> remove(int rank, int position);
    // Another grid in place of this one.
    std::optional<PuzzleRefusal> open(Orders orders);
    void clear();

    std::optional<PuzzleRefusal> wouldRefuse(const Action& action, int position) const;
    bool canUndo() const { return at_ > 0; }
    bool canRedo() const { return at_ + 1 < states_.size(); }
    void undo();
    void redo();

    // (p,) what could still be placed on each rank, wherever: F, then B or I, then W. Of a level with split
    // backwards B and I both.
    Orders left() const;
    // How many operations are missing; a backward that is not begun counts as one.
    int missingCount() const;
    bool isComplete() const { return missingCount() == 0; }

private:
    std::optional<PuzzleRefusal> refusal(const Orders& orders) const;
    std::optional<PuzzleRefusal> take(Orders orders);

    const PuzzleLevel* level_;
    Schedule schedule_;
    std::vector<Orders> states_;
    std::size_t at_ = 0;
};

// The place of an operation in a grid: rank and position; nullopt: it is not placed.
struct PuzzlePlace {
    int rank = 0, position = 0;
    bool operator==(const PuzzlePlace&) const = default;
};
std::optional<PuzzlePlace> placeOf(const Schedule& schedule, const Action& action);

}  // namespace bscope
