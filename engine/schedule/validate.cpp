#include "schedule/validate.h"

#include "schedule/index.h"
#include "schedule/playback.h"

namespace bscope {

namespace {

struct Counts {
    int forward = 0, backward = 0, input = 0, weight = 0;
    int surplus = -1;  // position of the last action that repeats an earlier one
};

std::string rankText(int rank) {
    return "rank " + std::to_string(rank);
}

class Validation {
public:
    Validation(const Schedule& schedule, int first_microbatch)
        : schedule_(schedule), first_microbatch_(first_microbatch) {}

    std::vector<ScheduleError> run() {
        checkPlacement();
        if (!errors_.empty()) return std::move(errors_);
        microbatches_ = at(schedule_.microbatchesPerChain());
        counts_.resize(schedule_.placement.size() * microbatches_);
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
    std::string microbatchText(int microbatch) const {
        return "micro-batch " + std::to_string(microbatch + first_microbatch_);
    }

    void error(const std::string& sentence, int rank = -1, int position = -1) {
        if (errors_.size() < kMostErrors) errors_.push_back({sentence, rank, position});
    }

    void checkPlacement() {
        if (schedule_.chains.empty() ||
            (schedule_.chain_microbatches.empty() && schedule_.params.m % schedule_.replicas() != 0))
            return error("the micro-batches do not divide evenly over the chains");
        std::vector<int> seen(schedule_.placement.size(), 0);
        for (std::size_t stage = 0; stage < seen.size(); ++stage)
            if (schedule_.placement[stage] < 0 || schedule_.placement[stage] >= ranks())
                error("stage " + std::to_string(stage) + " lives on rank " +
                      std::to_string(schedule_.placement[stage]) + ", which does not exist");
        for (const std::vector<int>& chain : schedule_.chains)
            for (int stage : chain) {
                if (stage < 0 || at(stage) >= seen.size())
                    return error("a chain names stage " + std::to_string(stage) + ", which does not exist");
                ++seen[at(stage)];
            }
        for (std::size_t stage = 0; stage < seen.size(); ++stage)
            if (seen[stage] != 1)
                error("stage " + std::to_string(stage) + " is in " + std::to_string(seen[stage]) + " chains");
    }

    void checkAction(int rank, int position, const Action& action) {
        const auto wrong = [&](const std::string& what) {
            error(rankText(rank) + ": " + named(action) + " " + what, rank, position);
        };
        if (action.stage < 0 || action.stage >= schedule_.stageCount() || action.microbatch < 0 ||
            at(action.microbatch) >= microbatches_) {
            misplaced_ = true;
            return wrong("names a stage or micro-batch that does not exist");
        }
        if (schedule_.placement[at(action.stage)] != rank) {
            misplaced_ = true;
            return wrong("belongs to another rank, rank " +
                         std::to_string(schedule_.placement[at(action.stage)]));
        }
        Counts& counts = of(action.stage, action.microbatch);
        const auto count = [&](int& number) {
            if (++number > 1) counts.surplus = position;
        };
        switch (action.op) {
            case Op::Forward:
                return count(counts.forward);
            case Op::Backward:
                if (counts.forward == 0) wrong("comes before its forward");
                return count(counts.backward);
            case Op::BackwardInput:
                if (counts.forward == 0) wrong("comes before its forward");
                return count(counts.input);
            case Op::BackwardWeight:
                if (counts.input == 0) wrong("comes before its input gradient");
                return count(counts.weight);
            default:
                wrong("is not a compute action");
        }
    }

    void checkCounts() {
        const bool forward_only = schedule_.isForwardOnly();
        for (std::size_t chain = 0; chain < schedule_.chains.size(); ++chain)
            for (int stage : schedule_.chains[chain])
                for (int i = 0; i < schedule_.microbatchesOfChain(static_cast<int>(chain)); ++i)
                    checkCount(stage, i, forward_only);
    }

    void checkCount(int stage, int microbatch, bool forward_only) {
        const Counts& c = of(stage, microbatch);
        const int rank = schedule_.placement[at(stage)];
        const std::string text =
            rankText(rank) + ", stage " + std::to_string(stage) + ", " + microbatchText(microbatch);
        if (c.forward != 1)
            error(text + ": " + std::to_string(c.forward) + " forwards instead of one", rank,
                  c.forward > 1 ? c.surplus : -1);
        if (forward_only) return;
        const bool whole = c.backward == 1 && c.input == 0 && c.weight == 0;
        const bool split = c.backward == 0 && c.input == 1 && c.weight == 1;
        if (whole || split) return;
        const bool none = c.backward + c.input + c.weight == 0;
        const std::string found = none ? "none"
                                       : std::to_string(c.backward) + " B, " + std::to_string(c.input) +
                                             " I and " + std::to_string(c.weight) + " W";
        error(text + ": needs one B, or one I and one W; has " + found, rank, none ? -1 : c.surplus);
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
                const Counts& c = of(from, action.microbatch);
                if (forward ? c.forward > 0 : c.backward + c.input > 0) continue;
                error(rankText(rank) + ": " + named(action) + " waits for the " +
                          (forward ? "activation" : "gradient") + " of stage " + std::to_string(from) + ", " +
                          microbatchText(action.microbatch) + ", which no rank makes",
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
        std::string text = rankText(rank) + " can never run " + named(first);
        const int from = playback.inputStage(action);
        if (from >= 0 && playback.inputEnd(action) == Playback::kNotYet) {
            const int peer = schedule_.placement[at(from)];
            const Op made_by = action.op == Op::Forward ? Op::Forward : action.op;
            text += ": it waits for " + named({from, made_by, action.microbatch});
            text += peer == rank ? ", which comes later on the same rank"
                                 : " of rank " + std::to_string(peer) + ", which stands at " +
                                       named(order(peer)[next[at(peer)]]);
        }
        error(text, rank, static_cast<int>(next[at(rank)]));
    }

    Counts& of(int stage, int microbatch) { return counts_[at(stage) * microbatches_ + at(microbatch)]; }

    const Schedule& schedule_;
    int first_microbatch_;
    std::size_t microbatches_ = 0;
    bool misplaced_ = false;      // there are actions that no count knows
    std::vector<Counts> counts_;  // (stages, m)
    std::vector<ScheduleError> errors_;
};

}  // namespace

std::vector<ScheduleError> locateErrors(const Schedule& schedule, int first_microbatch) {
    return Validation(schedule, first_microbatch).run();
}

std::vector<std::string> scheduleErrors(const Schedule& schedule) {
    std::vector<std::string> sentences;
    for (const ScheduleError& error : locateErrors(schedule)) sentences.push_back(error.text);
    return sentences;
}

}  // namespace bscope
