#include "timeline/predict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "schedule/playback.h"
#include "schedule/weight_versions.h"
#include "words/number_text.h"
#include "words/said.h"

namespace bscope {

namespace {

// Half of what 64 bits hold: times, and their sums over all ranks.
constexpr double kLongest_ns = 4.6e18;

class Player {
public:
    Player(const Program& program, const Costs& costs, Overlap overlap, std::int64_t start_ns,
           std::int32_t iteration)
        : program_(program),
          costs_(costs),
          overlap_(overlap),
          start_ns_(start_ns),
          iteration_(iteration),
          forward_only_(program.schedule.isForwardOnly()),
          playback_(program.schedule),
          ranks_(program.actions.size()),
          timeline_(static_cast<int>(program.actions.size()), Provenance::Predicted) {
        if (costs.stages.size() != program.schedule.placement.size())
            throw std::invalid_argument("predict: costs of " + std::to_string(costs.stages.size()) +
                                        " stages for a schedule of " +
                                        std::to_string(program.schedule.placement.size()));
        requireThatTimesFit();
        for (const StageCosts& stage : costs.stages) {
            auto& durations = durations_ns_.emplace_back();
            for (int op = 0; op < kOpCount; ++op)
                durations[static_cast<std::size_t>(op)] =
                    std::llround(stage.duration_ns(static_cast<Op>(op)));
        }
        hop_ns_ = std::llround(costs.hopNs());
        for (Rank& rank : ranks_) rank.free_ns = start_ns;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) reserve(rank);
    }

    Timeline run() {
        const auto stuck = playAll(
            program_.actions, playback_, [this](std::size_t rank, std::size_t i) { return isReady(rank, i); },
            [this](std::size_t rank, std::size_t i) { play(rank, i); });
        if (stuck)
            throw SaidError<std::invalid_argument>(sentence("{0}: rank {1} can never run {2}",
                                                            program_.schedule.name, stuck->rank,
                                                            toText(stuck->action)));
        if (program_.schedule.replicas() > 1 && !forward_only_) reduceGradients();
        if (program_.schedule.weights == WeightRule::Flush) stepOptimizers();
        requireThatSumsFit();
        return std::move(timeline_);
    }

private:
    void reserve(std::size_t rank) {
        std::size_t computes = 0, receives = 0;
        for (const Action& a : program_.actions[rank]) {
            computes += isCompute(a.op) ? 1 : 0;
            receives += isReceive(a.op) ? 1 : 0;
        }
        timeline_.reserve(static_cast<int>(rank), computes + 1, receives, 2 * computes);
    }

    // Everything one after the other is the longest that any order can take.
    void requireThatTimesFit() const {
        double sum_ns = static_cast<double>(start_ns_);
        for (const std::vector<Action>& list : program_.actions)
            for (const Action& a : list) {
                if (isCompute(a.op))
                    sum_ns +=
                        costs_.stages[static_cast<std::size_t>(a.stage)].duration_ns(a.op) + costs_.hopNs();
                else if (a.op == Op::OptimizerStep)
                    sum_ns += costs_.optimizer_ns;
                else if (a.op == Op::ReduceGradients)
                    sum_ns += costs_.reduce_ns;
            }
        if (!(sum_ns <= kLongest_ns))
            throw TimesDoNotFit(sentence(
                "{0}: its operations take {1} s one after the other; at most {2} s can be predicted",
                program_.schedule.name, shortText(sum_ns / 1e9, 3), shortText(kLongest_ns / 1e9, 3)));
    }

    void requireThatSumsFit() const {
        const double length_ns =
            static_cast<double>(std::ranges::max(ranks_, {}, &Rank::free_ns).free_ns - start_ns_);
        const double longest_ns = kLongest_ns / static_cast<double>(ranks_.size());
        if (length_ns > longest_ns)
            throw TimesDoNotFit(sentence("{0} takes {1} s; at most {2} s can be predicted on {3} ranks",
                                         program_.schedule.name, shortText(length_ns / 1e9, 3),
                                         shortText(longest_ns / 1e9, 3), ranks_.size()));
    }

    struct Rank {
        std::int64_t free_ns = 0;
        std::int64_t live_bytes = 0;
        std::int16_t in_flight = 0;
        int steps = 0;
    };

    const Action& action(std::size_t rank, std::size_t i) const { return program_.actions[rank][i]; }
    std::int64_t duration(const Action& a) const {
        return durations_ns_[static_cast<std::size_t>(a.stage)][static_cast<std::size_t>(a.op)];
    }

    // Index of the next compute action of the rank.
    std::size_t nextCompute(std::size_t rank, std::size_t i) const {
        do ++i;
        while (!isCompute(action(rank, i).op));
        return i;
    }

    bool startsTogether(const Action& a) const { return overlap_ == Overlap::Fused && a.overlaps_next; }

    bool isReady(std::size_t rank, std::size_t i) const {
        const Action& a = action(rank, i);
        if (!isCompute(a.op)) return true;
        if (!playback_.isReady(a)) return false;
        return !startsTogether(a) || playback_.isReady(action(rank, nextCompute(rank, i)));
    }

    // When the input of an action is there; start_ns when it needs none.
    std::int64_t arrival(const Action& a) const {
        const std::int64_t produced = playback_.inputEnd(a, start_ns_);
        const int from = playback_.inputStage(a);
        return from >= 0 && playback_.crossesRanks(from, a.stage) ? produced + hop_ns_ : produced;
    }

    void play(std::size_t rank_index, std::size_t i) {
        const Action& a = action(rank_index, i);
        if (isCommunication(a.op)) return;
        Rank& rank = ranks_[rank_index];
        if (a.op == Op::ReduceGradients) return;
        if (a.op == Op::OptimizerStep) {
            if (program_.schedule.weights != WeightRule::Flush) stepOptimizer(rank_index, rank.free_ns);
            return;
        }
        receive(rank_index, a);
        std::int64_t start = std::max(rank.free_ns, arrival(a));
        const std::int64_t end_alone = start + duration(a);
        std::int64_t end = end_alone, delivered = end_alone;
        if (startsTogether(a)) {
            std::size_t other = nextCompute(rank_index, i);
            start = std::max(start, arrival(action(rank_index, other)));
            end = delivered = start + duration(a);
            for (;; other = nextCompute(rank_index, other)) {
                delivered += duration(action(rank_index, other));
                if (action(rank_index, other).op != Op::Recompute) break;
            }
        }
        rank.free_ns = end;
        playback_.finish(a, delivered);
        timeline_.append(event(rank_index, a, start, end));
        account(rank_index, a, start, end);
    }

    Event event(std::size_t rank, const Action& a, std::int64_t start, std::int64_t end) const {
        Event e;
        e.start_ns = start;
        e.end_ns = end;
        e.iteration = iteration_;
        e.stage = a.stage;
        e.microbatch = a.microbatch;
        e.rank = static_cast<std::int16_t>(rank);
        e.op = a.op;
        e.bytes = bytes(a);
        if (program_.schedule.weights == WeightRule::Flush) return e;
        const int newest = ranks_[rank].steps;
        e.weight_version = isCompute(a.op)
                               ? versionRead(program_.schedule, static_cast<int>(rank), a.microbatch)
                               : kNoVersion;
        e.staleness = static_cast<std::int16_t>(isCompute(a.op) ? newest - e.weight_version : 0);
        return e;
    }

    ActivationStep activations(const Action& a) const {
        const bool recomputes = program_.recompute != Recompute::None;
        const StageCosts& stage = costs_.stages[static_cast<std::size_t>(a.stage)];
        return activationStep(a.op, stage.chunk(recomputes), forward_only_);
    }

    // Taken (F, R) or given back (B, I, W).
    std::int64_t bytes(const Action& a) const {
        return a.stage < 0 ? 0 : std::abs(activations(a).done_bytes);
    }

    // A message shows once, before the first action that needs it: with recompute that is R, not its B or I.
    void receive(std::size_t rank, const Action& a) {
        const int from = playback_.inputStage(a);
        const bool after_recompute =
            program_.recompute != Recompute::None && a.op != Op::Forward && a.op != Op::Recompute;
        if (from < 0 || !playback_.crossesRanks(from, a.stage) || after_recompute) return;
        const std::int64_t sent = playback_.inputEnd(a);
        Action message = a;
        message.op = a.op == Op::Forward ? Op::RecvForward : Op::RecvBackward;
        Event e = event(rank, message, std::min(ranks_[rank].free_ns, sent), sent + hop_ns_);
        e.transfer_ns = sent;
        e.bytes = std::llround(costs_.message_bytes);
        timeline_.append(e);
    }

    void account(std::size_t rank_index, const Action& a, std::int64_t start, std::int64_t end) {
        const ActivationStep step = activations(a);
        if (step.changesAtStart()) remember(rank_index, start, step.running_bytes, step.chunks_at_start);
        if (step.changesAtEnd())
            remember(rank_index, end, step.done_bytes - step.running_bytes, step.chunks_at_end);
    }

    void remember(std::size_t rank_index, std::int64_t time, std::int64_t bytes_taken, int chunks) {
        Rank& rank = ranks_[rank_index];
        rank.live_bytes += bytes_taken;
        rank.in_flight = static_cast<std::int16_t>(rank.in_flight + chunks);
        timeline_.append(MemoryPoint{time, rank.live_bytes, iteration_, static_cast<std::int16_t>(rank_index),
                                     rank.in_flight});
    }

    // The global gradient norm joins all ranks, so that all step together once the last has finished.
    void stepOptimizers() {
        std::int64_t together = start_ns_;
        for (const Rank& rank : ranks_) together = std::max(together, rank.free_ns);
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            if (!program_.actions[rank].empty() && program_.actions[rank].back().op == Op::OptimizerStep)
                stepOptimizer(rank, together);
    }

    void stepOptimizer(std::size_t rank, std::int64_t start) {
        const std::int64_t end = start + std::llround(costs_.optimizer_ns);
        ++ranks_[rank].steps;
        if (end == start) return;
        Event step = event(rank, {-1, Op::OptimizerStep, -1}, start, end);
        if (program_.schedule.weights != WeightRule::Flush) {
            step.weight_version = ranks_[rank].steps;
            step.staleness = lastStaleness(rank);
        }
        timeline_.append(step);
        ranks_[rank].free_ns = end;
    }

    // Of the backward whose gradient the rank applies.
    std::int16_t lastStaleness(std::size_t rank) const {
        const std::span<const Event> events = timeline_.compute(static_cast<int>(rank));
        return events.empty() ? std::int16_t{0} : events.back().staleness;
    }

    // In the order of the layers, as the program has them: the copies of a stage meet once the last of their
    // ranks has nothing else to do.
    void reduceGradients() {
        const std::int64_t reduction = std::llround(costs_.reduce_ns);
        const std::vector<std::vector<int>>& chains = program_.schedule.chains;
        for (std::size_t position = 0; reduction > 0 && position < chains.front().size(); ++position) {
            std::int64_t start = start_ns_;
            for (const std::vector<int>& chain : chains)
                start = std::max(start, ranks_[rankOf(chain[position])].free_ns);
            for (const std::vector<int>& chain : chains) {
                const std::size_t rank = rankOf(chain[position]);
                const Action reduce{chain[position], Op::ReduceGradients, -1};
                timeline_.append(event(rank, reduce, start, start + reduction));
                ranks_[rank].free_ns = start + reduction;
            }
        }
    }

    std::size_t rankOf(int stage) const { return static_cast<std::size_t>(playback_.rank(stage)); }

    const Program& program_;
    const Costs& costs_;
    Overlap overlap_;
    std::int64_t start_ns_;
    std::int32_t iteration_;
    bool forward_only_;
    std::int64_t hop_ns_ = 0;
    std::vector<std::array<std::int64_t, kOpCount>> durations_ns_;  // (stages, op)
    Playback playback_;
    std::vector<Rank> ranks_;
    Timeline timeline_;
};

}  // namespace

Timeline predict(const Program& program, const Costs& costs, Overlap overlap, std::int64_t start_ns,
                 std::int32_t iteration) {
    return Player(program, costs, overlap, start_ns, iteration).run();
}

}  // namespace bscope
