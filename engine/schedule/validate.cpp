#include "schedule/validate.h"

#include <utility>

#include "schedule/index.h"
#include "schedule/playback.h"
#include "words/catalog.h"

namespace bscope {

namespace {

struct Counts {
    int forward = 0, backward = 0, input = 0, weight = 0;
    int surplus = -1;  // position of the last action that repeats an earlier one
};

class Validation {
public:
    Validation(const Schedule& schedule, int first_microbatch)
        : schedule_(schedule), first_microbatch_(first_microbatch) {}

    std::vector<ScheduleError> run() {
        checkPlacement();
        if (!errors_.empty()) return std::move(errors_);
        pieces_ = at(schedule_.piecesPerChain());
        counts_.resize(schedule_.placement.size() * pieces_);
        for (int rank = 0; rank < ranks(); ++rank)
            for (std::size_t i = 0; i < order(rank).size(); ++i)
                checkAction(rank, static_cast<int>(i), order(rank)[i]);
        checkCounts();
        if (errors_.empty())
            checkThatItPlays();
        else if (!misplaced_)
            checkInputsExist();
        return std::move(errors_);
    }

private:
    int ranks() const { return static_cast<int>(schedule_.orders.size()); }
    const std::vector<Action>& order(int rank) const { return schedule_.orders[at(rank)]; }

    std::string named(Action action) const {
        action.microbatch += first_microbatch_;
        return toText(action);
    }

    // What is found from now on is not reported.
    bool isFull() const { return errors_.size() >= kMostErrors; }
    void error(Sentence what, int rank = -1, int position = -1, Sentence why = {}) {
        if (!isFull()) errors_.push_back({std::move(what), rank, position, std::move(why)});
    }

    void checkPlacement() {
        if (schedule_.chains.empty() ||
            (schedule_.chain_microbatches.empty() && schedule_.params.m % schedule_.replicas() != 0))
            return error(sentence("the micro-batches do not divide evenly over the chains"));
        std::vector<int> seen(schedule_.placement.size(), 0);
        for (std::size_t stage = 0; stage < seen.size(); ++stage)
            if (schedule_.placement[stage] < 0 || schedule_.placement[stage] >= ranks())
                error(sentence("stage {0} is placed on rank {1}, which does not exist", stage,
                               schedule_.placement[stage]));
        for (const std::vector<int>& chain : schedule_.chains)
            for (int stage : chain) {
                if (stage < 0 || at(stage) >= seen.size())
                    return error(sentence("a chain names stage {0}, which does not exist", stage));
                ++seen[at(stage)];
            }
        for (std::size_t stage = 0; stage < seen.size(); ++stage)
            if (seen[stage] != 1) error(sentence("stage {0} is in {1} chains", stage, seen[stage]));
    }

    void checkAction(int rank, int position, const Action& action) {
        const auto wrong = [&](const char* id, auto... more) {
            error(sentence(id, rank, named(action), more...), rank, position);
        };
        const auto isEarly = [&](const char* id, const char* why) {
            error(sentence(id, rank, named(action)), rank, position, sentence(why));
        };
        if (action.stage < 0 || action.stage >= schedule_.stageCount() || action.microbatch < 0 ||
            action.microbatch >= schedule_.microbatchesPerChain()) {
            misplaced_ = true;
            return wrong("rank {0}: {1} names a stage or micro-batch that does not exist");
        }
        if (!schedule_.params.hasSegment(action)) {
            misplaced_ = true;
            return wrong(
                "rank {0}: {1} must name one of the {2} segments of a micro-batch, where there are several",
                schedule_.params.segments);
        }
        if (schedule_.placement[at(action.stage)] != rank) {
            misplaced_ = true;
            return wrong("rank {0}: {1} belongs to another rank, rank {2}",
                         schedule_.placement[at(action.stage)]);
        }
        Counts& counts = of(action);
        const bool backward = action.op == Op::Backward || action.op == Op::BackwardInput;
        if (action.op == Op::Forward && action.segment() > 0 && (&counts)[-1].forward == 0)
            isEarly("rank {0}: {1} comes before the forward of the segment before it",
                    "no forward of the segment before it comes before");
        if (backward && action.segment() >= 0 && action.segment() + 1 < schedule_.params.segments &&
            (&counts)[1].backward + (&counts)[1].input == 0)
            isEarly("rank {0}: {1} comes before the backward of the segment after it",
                    "no backward of the segment after it comes before");
        if (backward && action.segment() >= 0) checkBackwardOfCut(rank, position, action);
        const auto count = [&](int& number) {
            if (++number > 1) counts.surplus = position;
        };
        switch (action.op) {
            case Op::Forward:
                return count(counts.forward);
            case Op::Backward:
                if (counts.forward == 0)
                    isEarly("rank {0}: {1} comes before its forward", "no forward of it comes before");
                return count(counts.backward);
            case Op::BackwardInput:
                if (counts.forward == 0)
                    isEarly("rank {0}: {1} comes before its forward", "no forward of it comes before");
                return count(counts.input);
            case Op::BackwardWeight:
                if (counts.input == 0)
                    isEarly("rank {0}: {1} comes before its input gradient",
                            "no input gradient of it comes before");
                return count(counts.weight);
            default:
                wrong("rank {0}: {1} is not a compute action");
        }
    }

    // A stage adds up the gradients of keys and values of one micro-batch at a time.
    void checkBackwardOfCut(int rank, int position, const Action& action) {
        backward_of_.resize(schedule_.placement.size(), -1);
        std::int32_t& at_work = backward_of_[at(action.stage)];
        if (at_work >= 0 && at_work != action.microbatch)
            error(sentence("rank {0}: {1} comes before the last backward of micro-batch {2}, whose segments "
                           "have to be done with first",
                           rank, named(action), at_work + first_microbatch_),
                  rank, position, sentence("micro-batch {0} is not done with", at_work + first_microbatch_));
        at_work = action.segment() == 0 ? -1 : action.microbatch;
    }

    void checkCounts() {
        const bool forward_only = schedule_.isForwardOnly();
        for (std::size_t chain = 0; chain < schedule_.chains.size(); ++chain)
            for (int stage : schedule_.chains[chain])
                for (int i = 0; i < schedule_.microbatchesOfChain(static_cast<int>(chain)) && !isFull(); ++i)
                    for (int j = 0; j < schedule_.params.segments; ++j) checkCount(stage, i, j, forward_only);
    }

    void checkCount(int stage, int microbatch, int segment, bool forward_only) {
        const Action piece = schedule_.params.piece(stage, Op::Forward, microbatch, segment);
        const Counts& c = of(piece);
        const int rank = schedule_.placement[at(stage)];
        const std::string shown = pieceText(microbatch + first_microbatch_, piece.segment());
        if (c.forward != 1)
            error(sentence("rank {0}, stage {1}, micro-batch {2}: {3} forwards instead of one", rank, stage,
                           shown, c.forward),
                  rank, c.forward > 1 ? c.surplus : -1);
        if (forward_only) return;
        const bool whole = c.backward == 1 && c.input == 0 && c.weight == 0;
        const bool split = c.backward == 0 && c.input == 1 && c.weight == 1;
        if (whole || split) return;
        if (c.backward + c.input + c.weight == 0)
            return error(
                sentence("rank {0}, stage {1}, micro-batch {2}: needs one B, or one I and one W; has none",
                         rank, stage, shown),
                rank);
        error(
            sentence("rank {0}, stage {1}, micro-batch {2}: needs one B, or one I and one W; has {3} B, {4} "
                     "I and {5} W",
                     rank, stage, shown, c.backward, c.input, c.weight),
            rank, c.surplus);
    }

    // What no rank makes can never be waited for.
    void checkInputsExist() {
        const Playback playback(schedule_);
        for (int rank = 0; rank < ranks(); ++rank)
            for (std::size_t i = 0; i < order(rank).size(); ++i) {
                const Action& action = order(rank)[i];
                const bool forward = action.op == Op::Forward;
                if (!forward && action.op != Op::Backward && action.op != Op::BackwardInput) continue;
                const int from = playback.inputStage(action);
                if (from < 0) continue;
                const Counts& c = of(action.withStage(from));
                if (forward ? c.forward > 0 : c.backward + c.input > 0) continue;
                error(sentence(forward
                                   ? "rank {0}: {1} waits for the activation of stage {2}, micro-batch {3}, "
                                     "which no rank makes"
                                   : "rank {0}: {1} waits for the gradient of stage {2}, micro-batch {3}, "
                                     "which no rank makes",
                               rank, named(action), from,
                               pieceText(action.microbatch + first_microbatch_, action.segment())),
                      rank, static_cast<int>(i));
            }
    }

    void checkThatItPlays() {
        Playback playback(schedule_);
        std::vector<std::size_t> next(schedule_.orders.size(), 0);
        const auto ready = [&](std::size_t rank, std::size_t i) {
            const std::vector<Action>& list = schedule_.orders[rank];
            return playback.isReady(list[i]) &&
                   (!list[i].overlaps_next || i + 1 == list.size() || playback.isReady(list[i + 1]));
        };
        playAll(schedule_.orders, playback, ready, [&](std::size_t rank, std::size_t i) {
            playback.finish(schedule_.orders[rank][i]);
            next[rank] = i + 1;
        });
        for (int rank = 0; rank < ranks(); ++rank)
            if (next[at(rank)] < order(rank).size()) explainStuck(playback, next, rank);
    }

    void explainStuck(const Playback& playback, const std::vector<std::size_t>& next, int rank) {
        const Action& first = order(rank)[next[at(rank)]];
        const Action& action = playback.isReady(first) ? order(rank)[next[at(rank)] + 1] : first;
        const int from = playback.inputStage(action), position = static_cast<int>(next[at(rank)]);
        if (from < 0 || playback.inputEnd(action) != Playback::kNotYet)
            return error(sentence("rank {0} can never run {1}", rank, named(first)), rank, position);
        const int peer = schedule_.placement[at(from)];
        const Op made_by = action.op == Op::Forward ? Op::Forward : action.op;
        const std::string input = named(action.as(made_by, from));
        error(
            peer == rank
                ? sentence("rank {0} can never run {1}: it waits for {2}, which comes later on the same rank",
                           rank, named(first), input)
                : sentence("rank {0} can never run {1}: it waits for {2} of rank {3}, which stands at {4}",
                           rank, named(first), input, peer, named(order(peer)[next[at(peer)]])),
            rank, position);
    }

    Counts& of(const Action& action) {
        return counts_[at(action.stage) * pieces_ + at(schedule_.params.pieceOf(action))];
    }

    const Schedule& schedule_;
    int first_microbatch_;
    std::size_t pieces_ = 0;
    bool misplaced_ = false;      // there are actions outside the counted ones
    std::vector<Counts> counts_;  // (stages, m, segments)
    std::vector<std::int32_t> backward_of_;  // (stages,) the micro-batch whose backward is at work; -1: none
    std::vector<ScheduleError> errors_;
};

}  // namespace

std::vector<ScheduleError> locateErrors(const Schedule& schedule, int first_microbatch) {
    return Validation(schedule, first_microbatch).run();
}

std::vector<std::string> scheduleErrors(const Schedule& schedule) {
    std::vector<std::string> sentences;
    for (const ScheduleError& error : locateErrors(schedule))
        sentences.push_back(say(error.what, Language::English));
    return sentences;
}

}  // namespace bscope
