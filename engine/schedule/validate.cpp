#include "schedule/validate.h"

#include <stdexcept>

#include "schedule/lowering.h"

namespace bscope {

namespace {

struct Counts {
    int forward = 0, backward = 0, input = 0, weight = 0;
};

class Validation {
public:
    explicit Validation(const Schedule& schedule) : schedule_(schedule) {}

    std::vector<std::string> run() {
        checkPlacement();
        if (!errors_.empty()) return errors_;
        microbatches_ = static_cast<std::size_t>(schedule_.microbatchesPerChain());
        counts_.resize(schedule_.placement.size() * microbatches_);
        for (std::size_t rank = 0; rank < schedule_.orders.size(); ++rank)
            for (const Action& action : schedule_.orders[rank]) checkAction(static_cast<int>(rank), action);
        checkCounts();
        if (errors_.empty()) checkThatItPlays();
        return errors_;
    }

private:
    void error(const std::string& sentence) { errors_.push_back(sentence); }

    void checkPlacement() {
        if (schedule_.chains.empty() || schedule_.params.m % schedule_.replicas() != 0)
            return error("the micro-batches do not divide evenly over the chains");
        const auto ranks = static_cast<int>(schedule_.orders.size());
        std::vector<int> seen(schedule_.placement.size(), 0);
        for (std::size_t stage = 0; stage < seen.size(); ++stage)
            if (schedule_.placement[stage] < 0 || schedule_.placement[stage] >= ranks)
                error("stage " + std::to_string(stage) + " lives on rank " +
                      std::to_string(schedule_.placement[stage]) + ", which does not exist");
        for (const std::vector<int>& chain : schedule_.chains)
            for (int stage : chain) {
                if (stage < 0 || static_cast<std::size_t>(stage) >= seen.size())
                    return error("a chain names stage " + std::to_string(stage) + ", which does not exist");
                ++seen[static_cast<std::size_t>(stage)];
            }
        for (std::size_t stage = 0; stage < seen.size(); ++stage)
            if (seen[stage] != 1)
                error("stage " + std::to_string(stage) + " is in " + std::to_string(seen[stage]) + " chains");
    }

    void checkAction(int rank, const Action& action) {
        const std::string text = "rank " + std::to_string(rank) + ": " + toText(action);
        if (action.stage < 0 || action.stage >= schedule_.stageCount() || action.microbatch < 0 ||
            static_cast<std::size_t>(action.microbatch) >= microbatches_)
            return error(text + " names a stage or micro-batch that does not exist");
        if (schedule_.placement[static_cast<std::size_t>(action.stage)] != rank)
            return error(text + " belongs to another rank");
        Counts& counts = of(action.stage, action.microbatch);
        switch (action.op) {
            case Op::Forward:
                ++counts.forward;
                break;
            case Op::Backward:
                if (counts.forward == 0) error(text + " comes before its forward");
                ++counts.backward;
                break;
            case Op::BackwardInput:
                if (counts.forward == 0) error(text + " comes before its forward");
                ++counts.input;
                break;
            case Op::BackwardWeight:
                if (counts.input == 0) error(text + " comes before its input gradient");
                ++counts.weight;
                break;
            default:
                error(text + " is not a compute action");
        }
    }

    void checkCounts() {
        const bool forward_only = schedule_.isForwardOnly();
        for (int stage = 0; stage < schedule_.stageCount(); ++stage)
            for (int i = 0; i < static_cast<int>(microbatches_); ++i) {
                const Counts& c = of(stage, i);
                const std::string text =
                    "stage " + std::to_string(stage) + ", micro-batch " + std::to_string(i);
                if (c.forward != 1)
                    error(text + ": " + std::to_string(c.forward) + " forwards instead of one");
                if (forward_only) continue;
                const bool whole = c.backward == 1 && c.input == 0 && c.weight == 0;
                const bool split = c.backward == 0 && c.input == 1 && c.weight == 1;
                if (!whole && !split) error(text + ": needs one B, or one I and one W");
            }
    }

    void checkThatItPlays() {
        try {
            lowerCells(schedule_);
        } catch (const std::invalid_argument& stuck) {
            error(stuck.what());
        }
    }

    Counts& of(int stage, int microbatch) {
        return counts_[static_cast<std::size_t>(stage) * microbatches_ +
                       static_cast<std::size_t>(microbatch)];
    }

    const Schedule& schedule_;
    std::size_t microbatches_ = 0;
    std::vector<Counts> counts_;  // (stages, m)
    std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> scheduleErrors(const Schedule& schedule) {
    return Validation(schedule).run();
}

}  // namespace bscope
