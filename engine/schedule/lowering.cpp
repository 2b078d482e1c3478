#include "schedule/lowering.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "schedule/playback.h"
#include "words/said.h"

namespace bscope {

namespace {

constexpr std::size_t kActiveStages = 3;  // PyTorch keeps the weights of the next three distinct stages

// Up to three distinct stages, the next needed first.
struct Upcoming {
    std::array<int, kActiveStages> stages = {};
    std::size_t count = 0;

    const int* begin() const { return stages.data(); }
    const int* end() const { return stages.data() + count; }
    bool contains(int stage) const { return std::find(begin(), end(), stage) != end(); }
};

// (order.size(),) the next distinct stages from each position on: a move-to-front list built from the back.
std::vector<Upcoming> upcomingStages(const std::vector<Action>& order) {
    std::vector<Upcoming> upcoming(order.size());
    std::vector<int> recent;
    for (std::size_t i = order.size(); i-- > 0;) {
        const auto found = std::find(recent.begin(), recent.end(), order[i].stage);
        if (found == recent.end())
            recent.insert(recent.begin(), order[i].stage);
        else
            std::rotate(recent.begin(), found, found + 1);
        upcoming[i].count = std::min(kActiveStages, recent.size());
        std::copy_n(recent.begin(), upcoming[i].count, upcoming[i].stages.begin());
    }
    return upcoming;
}

// The order with UNSHARD before the first need of a stage's weights and RESHARD when others take its place.
std::vector<Cell> withWeightCells(const std::vector<Action>& order) {
    const std::vector<Upcoming> upcoming = upcomingStages(order);
    std::vector<Cell> cells;
    cells.reserve(order.size() + 8);
    Upcoming active;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Upcoming before = std::exchange(active, upcoming[i]);
        for (int stage : before)
            if (!active.contains(stage)) cells.push_back({Cell::Kind::Reshard, {stage, Op::Forward, -1}});
        for (int stage : active)
            if (!before.contains(stage)) cells.push_back({Cell::Kind::Unshard, {stage, Op::Forward, -1}});
        cells.push_back({Cell::Kind::Action, order[i]});
    }
    return cells;
}

class Lowering {
public:
    explicit Lowering(const Schedule& schedule) : playback_(schedule), name_(schedule.name) {
        for (const std::vector<Action>& order : schedule.orders) {
            waiting_.push_back(withWeightCells(order));
            lists_.emplace_back();
            lists_.back().reserve(3 * waiting_.back().size());
        }
        position_.assign(waiting_.size(), 0);
    }

    std::vector<std::vector<Cell>> run() {
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t rank = 0; rank < waiting_.size(); ++rank)
                if (position_[rank] < waiting_[rank].size() && isReady(rank)) {
                    takeTurn(rank);
                    progress = true;
                }
        }
        requireAllDone();
        return std::move(lists_);
    }

private:
    void requireAllDone() const {
        std::vector<Sentence> standing;
        for (std::size_t rank = 0; rank < waiting_.size(); ++rank)
            if (position_[rank] < waiting_[rank].size())
                standing.push_back(sentence("rank {0} can never run {1}", rank,
                                            toText(waiting_[rank][position_[rank]].action)));
        if (!standing.empty())
            throw SaidError<std::invalid_argument>(
                sentence("{0}: the orders of the ranks contradict each other: {1}", name_, inARow(standing)));
    }

    bool isReady(std::size_t rank) const {
        const Cell& cell = waiting_[rank][position_[rank]];
        if (cell.kind != Cell::Kind::Action) return true;
        if (!playback_.isReady(cell.action)) return false;
        return !cell.action.overlaps_next || playback_.isReady(otherHalf(rank));
    }

    // Of the overlapped pair that stands next; cells about weights may stand between its halves.
    const Action& otherHalf(std::size_t rank) const {
        std::size_t next = position_[rank] + 1;
        while (waiting_[rank].at(next).kind != Cell::Kind::Action) ++next;
        return waiting_[rank][next].action;
    }

    // An overlapped pair is one cell and takes one turn; its two halves stay two actions, each with its send.
    void takeTurn(std::size_t rank) {
        const Cell& cell = waiting_[rank][position_[rank]];
        emit(rank, cell);
        if (cell.kind == Cell::Kind::Action && cell.action.overlaps_next)
            emit(rank, waiting_[rank][position_[rank]]);
    }

    void emit(std::size_t rank, const Cell& cell) {
        ++position_[rank];
        lists_[rank].push_back(cell);
        if (cell.kind != Cell::Kind::Action) return;
        playback_.finish(cell.action);
        const int consumer = playback_.outputStage(cell.action);
        if (consumer < 0 || !playback_.crossesRanks(cell.action.stage, consumer)) return;
        const bool forward = cell.action.op == Op::Forward;
        const int microbatch = cell.action.microbatch;
        lists_[rank].push_back(
            {Cell::Kind::Action,
             {cell.action.stage, forward ? Op::SendForward : Op::SendBackward, microbatch}});
        lists_[static_cast<std::size_t>(playback_.rank(consumer))].push_back(
            {Cell::Kind::Action, {consumer, forward ? Op::RecvForward : Op::RecvBackward, microbatch}});
    }

    Playback playback_;
    std::string name_;
    std::vector<std::vector<Cell>> waiting_, lists_;
    std::vector<std::size_t> position_;
};

}  // namespace

std::vector<std::vector<Cell>> lowerCells(const Schedule& schedule) {
    return Lowering(schedule).run();
}

}  // namespace bscope
