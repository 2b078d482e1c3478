#include "schedule/formats/communication_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "schedule/formats/csv.h"
#include "schedule/deadlock.h"
#include "schedule/formats/file_cells.h"
#include "schedule/index.h"
#include "schedule/playback.h"

namespace bscope {

namespace {

bool isForwardMessage(Op op) {
    return op == Op::SendForward || op == Op::RecvForward;
}

class CommunicationCheck {
public:
    CommunicationCheck(ScheduleFile& file, const std::vector<std::vector<FileCell>>& rows)
        : file_(file), schedule_(file.schedule), rows_(rows), playback_(schedule_) {}

    void run() {
        bool communicates = false, names_weights = false;
        for (const Row& each : rows_)
            for (const auto& [cell, column] : each) {
                communicates |= isMessage(cell);
                names_weights |= cell.kind != Cell::Kind::Action || cell.action.op == Op::ReduceGradients;
            }
        if (!communicates && !names_weights) return;
        for (int rank = 0; rank < ranks(); ++rank) findPlaces(rank);
        for (int rank = 0; rank < ranks(); ++rank) {
            for (int i = 0; i < size(rank); ++i)
                if (isMessage(row(rank)[at(i)].cell)) checkMessage(rank, i);
            checkWeights(rank);
        }
        if (!communicates) return;
        for (int rank = 0; rank < ranks(); ++rank) checkNothingIsMissing(rank);
        if (file_.errors.empty()) checkTurns();
        if (file_.errors.empty()) checkThatItPlays();
    }

private:
    using Row = std::vector<FileCell>;

    static bool isMessage(const Cell& cell) {
        return cell.kind == Cell::Kind::Action && isCommunication(cell.action.op);
    }
    int ranks() const { return static_cast<int>(rows_.size()); }
    const Row& row(int rank) const { return rows_[at(rank)]; }
    int size(int rank) const { return static_cast<int>(row(rank).size()); }

    // id: of a sentence that begins with "rank {0}: {1}", the action.
    template <class... More>
    void fail(int rank, int position, const char* id, const More&... more) {
        const FileCell& each = row(rank)[at(position)];
        addError(file_, {placed(file_, rank, each.column, sentence(id, rank, toText(each.cell), more...)),
                         rank, each.column});
    }

    void findPlaces(int rank) {
        std::vector<std::pair<Action, int>>& places = places_.emplace_back();
        for (int i = 0; i < size(rank); ++i) {
            const Cell& cell = row(rank)[at(i)].cell;
            if (cell.kind == Cell::Kind::Action) places.emplace_back(plain(cell.action), i);
        }
        std::sort(places.begin(), places.end());
    }
    static Action plain(Action action) {
        action.overlaps_next = false;
        return action;
    }
    // Where the action stands on the rank, the first time.
    std::optional<int> placeOf(int rank, const Action& action) const {
        const auto& places = places_[at(rank)];
        const auto found = std::lower_bound(places.begin(), places.end(), std::pair(action, 0));
        if (found == places.end() || found->first != action) return std::nullopt;
        return found->second;
    }

    // The action of the same rank that makes what is sent, or needs what is received: F, or B or I. nullopt
    // when the file has no such action.
    std::optional<std::pair<Action, int>> computation(int rank, const Action& message) const {
        const bool forward = isForwardMessage(message.op);
        for (const Op op : {forward ? Op::Forward : Op::Backward, Op::BackwardInput}) {
            const Action action = message.as(op);
            if (const auto place = placeOf(rank, action)) return std::pair(action, *place);
            if (forward) break;
        }
        return std::nullopt;
    }

    // The stage at the other end of a message; -1 when there is none.
    int otherStage(const Action& message) const {
        const Action compute = message.as(isForwardMessage(message.op) ? Op::Forward : Op::Backward);
        return isSend(message.op) ? playback_.outputStage(compute) : playback_.inputStage(compute);
    }

    bool standsOnItsRank(int rank, int position, const Action& action, bool has_microbatch) {
        const bool exists = action.stage < schedule_.stageCount() &&
                            (!has_microbatch || (action.microbatch < schedule_.microbatchesPerChain() &&
                                                 schedule_.params.hasSegment(action)));
        if (!exists) {
            fail(rank, position, "rank {0}: {1} names a stage or micro-batch that does not exist");
            return false;
        }
        const int owner = schedule_.placement[at(action.stage)];
        if (owner == rank) return true;
        fail(rank, position, "rank {0}: {1} belongs to another rank, rank {2}", owner);
        return false;
    }

    void checkMessage(int rank, int position) {
        const Action& message = row(rank)[at(position)].cell.action;
        if (!standsOnItsRank(rank, position, message, true)) return;
        const int other = otherStage(message);
        if (other < 0) return fail(rank, position, "rank {0}: {1} has no rank at the other end");
        if (!playback_.crossesRanks(message.stage, other))
            return fail(rank, position, "rank {0}: {1} is no message: stage {2} is on the same rank", other);
        if (placeOf(rank, message) != position) return fail(rank, position, "rank {0}: {1} is there twice");
        const auto compute = computation(rank, message);
        if (!compute)
            return fail(rank, position, "rank {0}: {1} belongs to a backward, and the file has none");
        const auto& [action, place] = *compute;
        if (isSend(message.op) && position < place)
            fail(rank, position, "rank {0}: {1} comes before {2}, which makes what it sends", toText(action));
        if (isReceive(message.op) && position > place)
            fail(rank, position, "rank {0}: {1} comes after {2}, which needs what it receives",
                 toText(action));
    }

    void checkNothingIsMissing(int rank) {
        for (const Action& action : schedule_.orders[at(rank)]) {
            if (action.op == Op::BackwardWeight) continue;
            const bool forward = action.op == Op::Forward;
            const int to = playback_.outputStage(action), from = playback_.inputStage(action);
            if (from >= 0 && playback_.crossesRanks(from, action.stage))
                require(rank, action, forward ? Op::RecvForward : Op::RecvBackward,
                        "rank {0}: {1} is missing before {2}");
            if (to >= 0 && playback_.crossesRanks(to, action.stage))
                require(rank, action, forward ? Op::SendForward : Op::SendBackward,
                        "rank {0}: {1} is missing after {2}");
        }
    }

    void require(int rank, const Action& compute, Op op, const char* id) {
        const Action message = compute.as(op);
        if (placeOf(rank, message)) return;
        addError(file_, {sentence(id, rank, toText(message), toText(plain(compute))), rank, -1});
    }

    // A message must be received in its turn among those of one rank to another.
    void checkTurns() {
        std::map<std::pair<int, int>, std::vector<Action>> sent;  // from rank, to rank
        std::map<std::pair<int, int>, std::size_t> received;
        for (int rank = 0; rank < ranks(); ++rank)
            for (const FileCell& each : row(rank))
                if (isMessage(each.cell) && isSend(each.cell.action.op))
                    sent[{rank, playback_.rank(otherStage(each.cell.action))}].push_back(each.cell.action);
        for (int rank = 0; rank < ranks(); ++rank)
            for (int i = 0; i < size(rank); ++i) {
                const Action& message = row(rank)[at(i)].cell.action;
                if (!isMessage(row(rank)[at(i)].cell) || !isReceive(message.op)) continue;
                const int other = otherStage(message), from = playback_.rank(other);
                const Op op = isForwardMessage(message.op) ? Op::SendForward : Op::SendBackward;
                const Action& next = sent[{from, rank}].at(received[{from, rank}]++);
                if (next == message.as(op, other)) continue;
                fail(rank, i, "rank {0}: {1} is out of turn: the next message of rank {2} is {3}", from,
                     toText(next));
                return;
            }
    }

    void checkThatItPlays() {
        Program program{schedule_, Recompute::None, {}};
        for (const Row& each : rows_) {
            std::vector<Action>& list = program.actions.emplace_back();
            for (const auto& [cell, column] : each)
                if (cell.kind == Cell::Kind::Action && cell.action.op != Op::ReduceGradients)
                    list.push_back(cell.action);
        }
        const auto deadlock = findDeadlock(program, Transport::Posted);
        if (!deadlock) return;
        fail(deadlock->rank, *placeOf(deadlock->rank, plain(deadlock->action)), "rank {0}: {1} {2}",
             deadlock->reason);
    }

    // Weights that a file fetches or drops at all are there when their stage computes; gradients are reduced
    // once, when they are complete.
    void checkWeights(int rank) {
        std::map<int, bool> is_there;  // by stage
        for (const auto& [cell, column] : row(rank))
            if (cell.kind != Cell::Kind::Action) is_there[cell.action.stage] = false;
        for (int i = 0; i < size(rank); ++i) {
            const auto& [kind, action] = row(rank)[at(i)].cell;
            if (kind == Cell::Kind::Action) {
                if (action.op == Op::ReduceGradients)
                    checkReduction(rank, i, action);
                else if (const auto known = is_there.find(action.stage);
                         isCompute(action.op) && known != is_there.end() && !known->second)
                    fail(rank, i, "rank {0}: {1} runs while the weights of its stage are not there");
                continue;
            }
            if (!standsOnItsRank(rank, i, action, false)) continue;
            const bool fetches = kind == Cell::Kind::Unshard;
            if (is_there[action.stage] == fetches)
                fail(rank, i,
                     fetches ? "rank {0}: {1} fetches weights that are there"
                             : "rank {0}: {1} drops weights that are not there");
            is_there[action.stage] = fetches;
        }
    }

    void checkReduction(int rank, int position, const Action& reduction) {
        if (!standsOnItsRank(rank, position, reduction, false)) return;
        if (placeOf(rank, reduction) != position) return fail(rank, position, "rank {0}: {1} is there twice");
        for (int i = position + 1; i < size(rank); ++i) {
            const auto& [kind, action] = row(rank)[at(i)].cell;
            if (kind != Cell::Kind::Action || action.stage != reduction.stage) continue;
            if (action.op != Op::Backward && action.op != Op::BackwardWeight) continue;
            return fail(rank, position, "rank {0}: {1} comes before {2}, which adds to what it reduces",
                        toText(plain(action)));
        }
    }

    ScheduleFile& file_;
    const Schedule& schedule_;
    const std::vector<Row>& rows_;
    Playback playback_;
    std::vector<std::vector<std::pair<Action, int>>> places_;  // (p, actions) sorted
};

}  // namespace

void checkCommunication(ScheduleFile& file, const std::vector<std::vector<FileCell>>& rows) {
    CommunicationCheck(file, rows).run();
}

}  // namespace bscope
