#include "import/possible.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "import/trace/import_error.h"
#include "timeline/median.h"
#include "words/number_text.h"

namespace bscope {
namespace {

std::string text(const TracedOp& op) {
    return op.op == Op::OptimizerStep ? "OPT" : toText({op.stage, op.op, op.microbatch});
}

bool isPlayed(const TracedOp& op) {
    return isCompute(op.op) && op.op != Op::Recompute;
}

using Reasons = std::map<int, Sentence>;  // by iteration

class Overlaps {
public:
    Overlaps(TracedRun& run, Reasons& reasons)
        : host_(run.times == Times::Host || run.times == Times::Ranges),
          one_clock_(run.clocks != Clocks::PerIteration),
          reasons_(reasons) {
        for (TracedRank& rank : run.ranks) look(rank);
    }
    std::int64_t most_ns() const { return most_ns_; }

private:
    void look(TracedRank& rank) {
        const TracedOp* before = nullptr;
        for (const TracedOp& op : rank.ops) {
            if (before != nullptr && before->iteration != op.iteration && !one_clock_) before = nullptr;
            if (before != nullptr && op.start_ns < before->end_ns) {
                // The host's optimizer step and the kernels of operations are on two clocks' time.
                if (op.op == Op::OptimizerStep && !host_) continue;
                overlap(rank, *before, op);
            }
            if (before == nullptr || op.end_ns > before->end_ns) before = &op;
        }
    }
    void overlap(const TracedRank& rank, const TracedOp& before, const TracedOp& op) {
        constexpr std::int64_t tenth = 10, rounding_ns = 2000;
        const std::int64_t by_ns = std::min(before.end_ns, op.end_ns) - op.start_ns;
        const std::int64_t shorter_ns = std::min(before.end_ns - before.start_ns, op.end_ns - op.start_ns);
        const bool swallowed = op.end_ns <= before.end_ns && op.end_ns > op.start_ns && by_ns > rounding_ns;
        if (swallowed || (host_ && by_ns > std::max(rounding_ns, shorter_ns / tenth)))
            reasons_.try_emplace(op.iteration, sentence("on rank {0} {1} runs while {2} does", rank.rank,
                                                        text(op), text(before)));
        else if (by_ns > std::max(rounding_ns, shorter_ns / tenth))
            most_ns_ = std::max(most_ns_, by_ns);
    }

    bool host_, one_clock_;
    Reasons& reasons_;
    std::int64_t most_ns_ = 0;
};

// Plays the orders of the ranks; nothing costs time.
class Player {
public:
    Player(std::vector<std::span<const TracedOp>> orders, int stages)
        : orders_(std::move(orders)), stages_(stages), next_(orders_.size(), 0) {}

    // Why it comes to an end before the last operation.
    std::optional<Sentence> stuck() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < orders_.size(); ++rank)
                while (const TracedOp* op = head(rank)) {
                    if (missing(*op)) break;
                    done_.insert({kind(op->op), op->stage, op->microbatch});
                    ++next_[rank];
                    moved = true;
                }
        }
        std::optional<Sentence> why;
        for (std::size_t rank = 0; rank < orders_.size(); ++rank) {
            const TracedOp* op = head(rank);
            if (op == nullptr) continue;
            const Cell needs = *missing(*op);
            for (const TracedOp& later : orders_[rank].subspan(next_[rank]))
                if (isPlayed(later) && Cell{kind(later.op), later.stage, later.microbatch} == needs)
                    return sentence("rank {0} runs {1} before {2}", rank, text(*op), text(later));
            if (!why)
                why = sentence("rank {0} cannot run {1}, whose input no operation produces", rank, text(*op));
        }
        return why;
    }

private:
    using Cell = std::tuple<int, int, int>;  // forward 0, backward 1, weight 2; stage; micro-batch
    static int kind(Op op) { return op == Op::Forward ? 0 : op == Op::BackwardWeight ? 2 : 1; }

    const TracedOp* head(std::size_t rank) {
        while (next_[rank] < orders_[rank].size() && !isPlayed(orders_[rank][next_[rank]])) ++next_[rank];
        return next_[rank] < orders_[rank].size() ? &orders_[rank][next_[rank]] : nullptr;
    }
    std::optional<Cell> missing(const TracedOp& op) const {
        const auto need = [this](const Cell& cell) {
            return done_.contains(cell) ? std::nullopt : std::optional(cell);
        };
        if (op.op == Op::Forward)
            return op.stage == 0 ? std::nullopt : need({0, op.stage - 1, op.microbatch});
        if (op.op == Op::BackwardWeight) return need({1, op.stage, op.microbatch});
        if (const auto forward = need({0, op.stage, op.microbatch})) return forward;
        return op.stage == stages_ - 1 ? std::nullopt : need({1, op.stage + 1, op.microbatch});
    }

    std::vector<std::span<const TracedOp>> orders_;
    int stages_;
    std::vector<std::size_t> next_;
    std::set<Cell> done_;
};

void lookAtOrders(const TracedRun& run, const Numbering& numbering, Reasons& reasons) {
    for (const int iteration : numbering.iterations) {
        std::vector<std::span<const TracedOp>> orders;
        for (const TracedRank& rank : run.ranks) orders.push_back(ofIteration(rank.ops, iteration));
        if (auto why = Player(std::move(orders), static_cast<int>(numbering.placement.size())).stuck())
            reasons.try_emplace(iteration, std::move(*why));
    }
}

// What takes no time in most iterations is no work, whatever its name. A weight half may have none to do.
// What takes none just once was lost or cut, and its iteration would have too large a bubble.
void lookAtDurations(const TracedRun& run, Reasons& reasons) {
    constexpr std::int64_t coarsest_clock_ns = 10'000;
    for (const TracedRank& rank : run.ranks) {
        std::map<std::pair<int, Op>, std::vector<std::int64_t>> lengths_ns;
        for (const TracedOp& op : rank.ops)
            if (isPlayed(op) && op.op != Op::BackwardWeight)
                lengths_ns[{op.stage, op.op}].push_back(op.end_ns - op.start_ns);
        std::set<std::pair<int, Op>> long_enough;
        for (auto& [key, of] : lengths_ns) {
            const double usual_ns = median(std::move(of));
            if (usual_ns > coarsest_clock_ns) long_enough.insert(key);
            if (usual_ns <= 0)
                throw ImportError(sentence(
                    "{0}: {1} of stage {2} takes no time, which no work does: its times are those of "
                    "something else, and the bubble would be too high. Record again, with start and end of "
                    "what the stage computes",
                    rank.file, std::string(opText(key.second)), key.first));
        }
        for (const TracedOp& op : rank.ops)
            if ((op.op == Op::Forward || op.op == Op::Backward) && op.end_ns <= op.start_ns &&
                long_enough.contains({op.stage, op.op}))
                reasons.try_emplace(op.iteration,
                                    sentence("{0} of rank {1} takes no time, and others of its kind do",
                                             text(op), rank.rank));
    }
}

}  // namespace

void leaveOutImpossible(TracedRun& run, Numbering& numbering) {
    Reasons reasons;
    lookAtDurations(run, reasons);
    const Overlaps overlaps(run, reasons);
    lookAtOrders(run, numbering, reasons);
    if (overlaps.most_ns() > 0)
        run.notes.push_back(sentence(
            "operations of a rank overlap by up to {0} ms: the later one counts from the end of the other",
            millisecondsText(static_cast<double>(overlaps.most_ns()) / 1e6)));
    if (reasons.empty()) return;
    const auto& [first, why] = *reasons.begin();
    if (reasons.size() == numbering.iterations.size())
        throw ImportError(
            reasons.size() == 1
                ? sentence("the run that the files describe is impossible: in iteration {0} {1}", first, why)
                : sentence("the run that the files describe is impossible in all {0} iterations: in "
                           "iteration {1} {2}",
                           reasons.size(), first, why));
    run.notes.push_back(
        reasons.size() == 1
            ? sentence("iteration {0} is impossible as the files describe it and is left out: {1}", first,
                       why)
            : sentence("{0} iterations are impossible as the files describe them and are left out: in "
                       "iteration {1} {2}",
                       reasons.size(), first, why));
    std::erase_if(numbering.iterations, [&](int iteration) { return reasons.contains(iteration); });
    const auto impossible = [&](const auto& each) { return reasons.contains(each.iteration); };
    for (TracedRank& rank : run.ranks) {
        std::erase_if(rank.ops, impossible);
        std::erase_if(rank.receives, impossible);
        std::erase_if(rank.sends, impossible);
    }
}

void endWithMessages(TracedRun& run, const Numbering& numbering) {
    if (run.clocks != Clocks::Shared || run.times != Times::Ranges) return;
    std::map<std::tuple<int, Op, int, int>, std::int64_t> arrivals;  // iteration, receive, stage, micro-batch
    for (const TracedRank& rank : run.ranks)
        for (const TracedReceive& each : rank.receives)
            if (each.stage >= 0)
                arrivals[{each.iteration, each.op, each.stage, each.microbatch}] = each.end_ns;
    if (arrivals.empty()) return;
    for (TracedRank& rank : run.ranks)
        for (TracedOp& op : rank.ops) {
            if (!isPlayed(op) || op.op == Op::BackwardWeight) continue;
            const bool forward = op.op == Op::Forward;
            const int stage = op.stage + (forward ? 1 : -1);
            if (stage < 0 || stage >= static_cast<int>(numbering.placement.size()) ||
                numbering.placement[static_cast<std::size_t>(stage)] == rank.rank)
                continue;
            const auto arrival = arrivals.find(
                {op.iteration, forward ? Op::RecvForward : Op::RecvBackward, stage, op.microbatch});
            if (arrival != arrivals.end() && arrival->second > op.start_ns)
                op.end_ns = std::min(op.end_ns, arrival->second);
        }
}

}  // namespace bscope
