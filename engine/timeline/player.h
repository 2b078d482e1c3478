// Player: plays a Program with Costs by the rule of predict.h and hands what happens to a sink, rank after
// rank and of each in the order of time: a Timeline that is drawn, or the numbers alone. What an operation
// takes and holds is looked up in one table of stages and operations.
//
// A sink that knows how long each single operation takes says so in std::int64_t duration_ns(Action); the
// costs then bound it from above.
//
// Sink: void expect(rank, computes, others, receives) once a rank, before anything happens; void
// compute(Event), void receive(Event), void memory(MemoryPoint). Optimizer steps and what the copies of
// stages do together, which wait for all ranks, come last.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "schedule/playback.h"
#include "schedule/weight_versions.h"
#include "timeline/predict.h"
#include "words/number_text.h"

namespace bscope {

template <class Sink>
class Player {
public:
    Player(const Program& program, const Costs& costs, Overlap overlap, std::int64_t start_ns,
           std::int32_t iteration, Sink& sink)
        : program_(program),
          costs_(costs),
          overlap_(overlap),
          start_ns_(start_ns),
          iteration_(iteration),
          forward_only_(program.schedule.isForwardOnly()),
          has_versions_(program.schedule.weights != WeightRule::Flush),
          playback_(program.schedule),
          ranks_(program.actions.size()),
          sink_(sink) {
        if (costs.stages.size() != program.schedule.placement.size())
            throw std::invalid_argument("predict: costs of " + std::to_string(costs.stages.size()) +
                                        " stages for a schedule of " +
                                        std::to_string(program.schedule.placement.size()));
        expectAll();
        for (const StageCosts& stage : costs.stages) addWork(stage);
        hop_ns_ = std::llround(costs.hopNs());
        slow_link_ns_ = std::llround(costs.slow_link.extra_ns);
        handover_ns_ = std::llround(costs.handover_ns);
        message_bytes_ = std::llround(costs.message_bytes);
        optimizer_ns_ = std::llround(costs.optimizer_ns);
        for (Rank& rank : ranks_) rank.free_ns = start_ns;
    }

    void run() {
        const auto stuck = playAll(
            program_.actions, playback_, [this](std::size_t rank, std::size_t i) { return isReady(rank, i); },
            [this](std::size_t rank, std::size_t i) { advance(rank, i); });
        if (stuck)
            throw SentenceError<std::invalid_argument>(sentence("{0}: rank {1} can never run {2}",
                                                                program_.schedule.name, stuck->rank,
                                                                toText(stuck->action)));
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) emitRank(rank);
        if (program_.schedule.replicas() > 1 && !forward_only_)
            playOfCopies(Op::ReduceGradients, std::llround(costs_.reduce_ns));
        if (!has_versions_) stepOptimizers();
        if (program_.schedule.params.zero > 0 && !forward_only_)
            playOfCopies(Op::GatherWeights, std::llround(costs_.gather_ns));
        requireThatSumsFit();
    }

private:
    static constexpr std::size_t kOps = static_cast<std::size_t>(Op::Recompute) + 1;  // those that compute
    // Half of what 64 bits hold: times, and their sums over all ranks.
    static constexpr double kLongest_ns = 4.6e18;

    struct Rank {
        std::int64_t free_ns = 0;
        bool hands_over = false;  // an operation ran, and the next one is none of its parts
        std::int64_t live_bytes = 0;
        std::int16_t in_flight = 0;
        std::int16_t last_staleness = 0;  // of its last event
        int steps = 0;
    };
    // One operation of one stage.
    struct Work {
        std::int64_t duration_ns = 0;
        ActivationStep activations;
    };

    void addWork(const StageCosts& stage) {
        const ChunkBytes chunk = stage.chunk(program_.recompute != Recompute::None);
        for (std::size_t i = 0; i < kOps; ++i) {
            const auto op = static_cast<Op>(i);
            work_.push_back({std::llround(stage.duration_ns(op)), activationStep(op, chunk, forward_only_)});
        }
    }
    static std::size_t workIndex(const Action& a) {
        return static_cast<std::size_t>(a.stage) * kOps + static_cast<std::size_t>(a.op);
    }
    const Work& work(const Action& a) const { return work_[workIndex(a)]; }

    std::int64_t duration_ns(const Action& a) const {
        if constexpr (requires { sink_.duration_ns(a); })
            return sink_.duration_ns(a);
        else
            return a.microbatch != costs_.long_microbatch.index
                       ? work(a).duration_ns
                       : std::llround(costs_.long_microbatch.factor *
                                      static_cast<double>(work(a).duration_ns));
    }

    // Announces to the sink what will come. Everything one after the other is the longest that any order can
    // take.
    void expectAll() {
        std::vector<std::size_t> counts(costs_.stages.size() * kOps);  // by workIndex
        std::size_t steps = 0, reductions = 0, gathers = 0;
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
            std::size_t computes = 0, receives = 0, others = 0;
            for (const Action& a : program_.actions[rank]) {
                if (isCompute(a.op)) {
                    ++counts[workIndex(a)];
                    ++computes;
                } else if (isReceive(a.op)) {
                    ++receives;
                } else if (!isSend(a.op)) {
                    ++(a.op == Op::OptimizerStep ? steps : a.op == Op::GatherWeights ? gathers : reductions);
                    ++others;
                }
            }
            sink_.expect(rank, computes, others, receives);
        }
        double sum_ns = static_cast<double>(start_ns_);
        const auto add = [&sum_ns](std::size_t count, double each_ns) {
            if (count > 0) sum_ns += static_cast<double>(count) * each_ns;
        };
        add(steps, costs_.optimizer_ns);
        add(reductions, costs_.reduce_ns);
        add(gathers, costs_.gather_ns);
        const double hop_ns = costs_.hopNs() + costs_.slow_link.extra_ns;
        const double most_times = std::max(1.0, costs_.long_microbatch.factor);
        for (std::size_t i = 0; i < counts.size(); ++i)
            add(counts[i], most_times * costs_.stages[i / kOps].duration_ns(static_cast<Op>(i % kOps)) +
                               hop_ns + costs_.handover_ns);
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

    const Action& action(std::size_t rank, std::size_t i) const { return program_.actions[rank][i]; }

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

    // What an action waits for.
    struct Input {
        std::int64_t sent_ns = 0;
        bool is_message = false;  // from another rank
        std::int64_t travels_ns = 0;
        std::int64_t arrival() const { return sent_ns + travels_ns; }
    };
    Input input(const Action& a) const {
        const int from = playback_.inputStage(a);
        const bool is_message = from >= 0 && playback_.crossesRanks(from, a.stage);
        return {playback_.inputEnd(a, start_ns_), is_message, is_message ? hop(from, a.stage) : 0};
    }
    std::int64_t hop(int from, int to) const {
        const bool slow = slow_link_ns_ != 0 && playback_.rank(from) == costs_.slow_link.from &&
                          playback_.rank(to) == costs_.slow_link.to;
        return slow ? hop_ns_ + slow_link_ns_ : hop_ns_;
    }

    // When the rank can begin its next operation.
    std::int64_t readyAt(const Rank& rank) const {
        return rank.hands_over ? rank.free_ns + handover_ns_ : rank.free_ns;
    }
    // Whether what follows on the rank is handed over: no half of the same cell.
    static bool endsApart(const Action& a) { return a.op != Op::Recompute && !a.overlaps_next; }

    struct Times {
        std::int64_t start_ns = 0, end_ns = 0;
        std::int64_t delivered_ns = 0;  // its output exists; later than its end in a fused cell
    };
    // Of a compute action and its input, of a rank that has nothing else to do from free_ns on.
    Times times(std::size_t rank, std::size_t i, const Input& needed, std::int64_t free_ns) const {
        const Action& a = action(rank, i);
        const std::int64_t own_ns = duration_ns(a);
        std::int64_t start = std::max(free_ns, needed.arrival());
        if (!startsTogether(a)) return {start, start + own_ns, start + own_ns};
        std::size_t other = nextCompute(rank, i);
        start = std::max(start, input(action(rank, other)).arrival());
        std::int64_t delivered = start + own_ns;
        for (;; other = nextCompute(rank, other)) {
            delivered += duration_ns(action(rank, other));
            if (action(rank, other).op != Op::Recompute) break;
        }
        return {start, start + own_ns, delivered};
    }

    // When it happens and nothing else: each operation emits several records, and the targets of all ranks in
    // turns do not fit into the nearest caches.
    void advance(std::size_t rank_index, std::size_t i) {
        const Action& a = action(rank_index, i);
        std::int64_t& free_ns = ranks_[rank_index].free_ns;
        if (isCompute(a.op)) {
            const Times at = times(rank_index, i, input(a), readyAt(ranks_[rank_index]));
            free_ns = at.end_ns;
            ranks_[rank_index].hands_over = endsApart(a);
            playback_.finish(a, at.delivered_ns);
        } else if (a.op == Op::OptimizerStep && has_versions_) {
            free_ns += optimizer_ns_;
        }
    }

    // Everything of one rank, once it is known when every output of the others exists.
    void emitRank(std::size_t rank_index) {
        ranks_[rank_index].free_ns = start_ns_;
        ranks_[rank_index].hands_over = false;
        for (std::size_t i = 0; i < program_.actions[rank_index].size(); ++i) {
            const Action& a = action(rank_index, i);
            if (isCompute(a.op))
                emitCompute(rank_index, i);
            else if (a.op == Op::OptimizerStep && has_versions_)
                stepOptimizer(rank_index, ranks_[rank_index].free_ns);
        }
    }

    void emitCompute(std::size_t rank_index, std::size_t i) {
        const Action& a = action(rank_index, i);
        Rank& rank = ranks_[rank_index];
        const Input needed = input(a);
        if (needed.is_message && showsMessage(a)) receive(rank_index, a, needed);
        const auto [start, end, delivered] = times(rank_index, i, needed, readyAt(rank));
        rank.free_ns = end;
        rank.hands_over = endsApart(a);
        const ActivationStep& step = work(a).activations;
        Event done = event(rank_index, a, start, end);
        done.bytes = std::abs(step.done_bytes);  // taken (F, R) or given back (B, I, W)
        rank.last_staleness = done.staleness;
        sink_.compute(done);
        if (step.changesAtStart()) remember(rank_index, start, step.running_bytes, step.chunks_at_start);
        if (step.changesAtEnd())
            remember(rank_index, end, step.done_bytes - step.running_bytes, step.chunks_at_end);
    }

    Event event(std::size_t rank, const Action& a, std::int64_t start, std::int64_t end) const {
        Event e;
        e.start_ns = start;
        e.end_ns = end;
        e.iteration = iteration_;
        e.setAction(a);
        e.rank = static_cast<std::int16_t>(rank);
        if (!has_versions_ || !isCompute(a.op)) return e;
        e.weight_version = versionRead(program_.schedule, static_cast<int>(rank), a.microbatch);
        e.staleness = static_cast<std::int16_t>(ranks_[rank].steps - e.weight_version);
        return e;
    }

    // A message shows once, before the first action that needs it: with recompute that is R, not its B or I.
    bool showsMessage(const Action& a) const {
        return program_.recompute == Recompute::None || a.op == Op::Forward || a.op == Op::Recompute;
    }

    void receive(std::size_t rank, const Action& a, const Input& needed) {
        Action message = a;
        message.op = a.op == Op::Forward ? Op::RecvForward : Op::RecvBackward;
        Event e =
            event(rank, message, std::min(ranks_[rank].free_ns, needed.sent_ns), needed.arrival());
        e.transfer_ns = needed.sent_ns;
        e.bytes = message_bytes_;
        sink_.receive(e);
    }

    void remember(std::size_t rank_index, std::int64_t time, std::int64_t bytes_taken, int chunks) {
        Rank& rank = ranks_[rank_index];
        rank.live_bytes += bytes_taken;
        rank.in_flight = static_cast<std::int16_t>(rank.in_flight + chunks);
        sink_.memory(MemoryPoint{time, rank.live_bytes, iteration_, static_cast<std::int16_t>(rank_index),
                                 rank.in_flight});
    }

    // The global gradient norm joins all ranks, so that all step together once the last has finished.
    void stepOptimizers() {
        std::int64_t together = start_ns_;
        for (const Rank& rank : ranks_) together = std::max(together, rank.free_ns);
        for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
            if (std::ranges::find(program_.actions[rank].rbegin(), program_.actions[rank].rend(),
                                  Op::OptimizerStep, &Action::op) != program_.actions[rank].rend())
                stepOptimizer(rank, together);
    }

    void stepOptimizer(std::size_t rank_index, std::int64_t start) {
        Rank& rank = ranks_[rank_index];
        const std::int64_t end = start + optimizer_ns_;
        ++rank.steps;
        if (end == start) return;
        Event step = event(rank_index, {-1, Op::OptimizerStep, -1}, start, end);
        if (has_versions_) {
            step.weight_version = rank.steps;
            step.staleness = rank.last_staleness;  // of the backward whose gradient the rank applies
        }
        sink_.compute(step);
        rank.free_ns = end;
    }

    // In the order of the layers, as the program has them: the copies of a stage meet once the last of their
    // ranks has nothing else to do.
    void playOfCopies(Op op, std::int64_t each_ns) {
        const Schedule& schedule = program_.schedule;
        for (std::size_t position = 0; each_ns > 0 && position < schedule.chains.front().size(); ++position)
            for (int shard = 0; shard < schedule.params.t; ++shard) {
                const std::vector<int> copies =
                    schedule.copiesOf(schedule.chains[static_cast<std::size_t>(shard)][position]);
                std::int64_t start = start_ns_;
                for (const int stage : copies) start = std::max(start, ranks_[rankOf(stage)].free_ns);
                for (const int stage : copies) {
                    const std::size_t rank = rankOf(stage);
                    sink_.compute(event(rank, {stage, op, -1}, start, start + each_ns));
                    ranks_[rank].free_ns = start + each_ns;
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
    bool has_versions_;  // asynchronous: ranks step on their own
    std::int64_t hop_ns_ = 0, slow_link_ns_ = 0, handover_ns_ = 0, message_bytes_ = 0, optimizer_ns_ = 0;
    std::vector<Work> work_;  // (stages, operations that compute)
    Playback playback_;
    std::vector<Rank> ranks_;
    Sink& sink_;
};

}  // namespace bscope
