#include "import/clock_alignment.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "import/trace/import_error.h"
#include "import/numbering.h"
#include "timeline/median.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

// o(from) - o(to) <= slack_ns, with the pair of operations that it follows from.
struct Bound {
    std::int64_t slack_ns = kNone;
    Action sent, started;
    int iteration = 0;
};

class Bounds {
public:
    explicit Bounds(int ranks)
        : ranks_(ranks), table_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

    Bound& at(int from, int to) {
        return table_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) +
                      static_cast<std::size_t>(to)];
    }
    int ranks() const { return ranks_; }

    // (ranks,) shifts <= 0 as near to 0 as possible; or the ranks of a cycle of bounds that contradict each
    // other. Throws ImportError where a shift would be beyond kFarthest_ns.
    struct Solution {
        std::vector<std::int64_t> shift_ns;
        std::vector<int> cycle;
    };
    Solution solve() {
        const auto count = static_cast<std::size_t>(ranks_);
        Solution solution{std::vector<std::int64_t>(count, 0), {}};
        std::vector<int> before(count, -1);
        int changed = -1;
        for (int round = 0; round <= ranks_; ++round) {
            changed = -1;
            for (int from = 0; from < ranks_; ++from)
                for (int to = 0; to < ranks_; ++to) {
                    const Bound& bound = at(from, to);
                    if (bound.slack_ns == kNone) continue;
                    const std::int64_t most = std::max(
                        solution.shift_ns[static_cast<std::size_t>(to)] + bound.slack_ns, -kFarthest_ns);
                    if (most >= solution.shift_ns[static_cast<std::size_t>(from)]) continue;
                    solution.shift_ns[static_cast<std::size_t>(from)] = most;
                    before[static_cast<std::size_t>(from)] = to;
                    changed = from;
                }
            if (changed < 0) break;
        }
        if (std::ranges::find(solution.shift_ns, -kFarthest_ns) != solution.shift_ns.end()) refuseTimes();
        if (changed < 0) return solution;
        for (int step = 0; step < ranks_; ++step) changed = before[static_cast<std::size_t>(changed)];
        for (int rank = changed; solution.cycle.empty() || rank != changed;
             rank = before[static_cast<std::size_t>(rank)])
            solution.cycle.push_back(rank);
        return solution;
    }

    // With every bound weaker by that much.
    Bounds relaxed(std::int64_t by_ns) const {
        Bounds weaker = *this;
        for (Bound& bound : weaker.table_)
            if (bound.slack_ns != kNone) bound.slack_ns += by_ns;
        return weaker;
    }
    // The one that lacks most.
    const Bound& tightest() const { return *std::ranges::min_element(table_, {}, &Bound::slack_ns); }

private:
    int ranks_;
    std::vector<Bound> table_;
};

struct Key {
    int iteration, stage, microbatch;
    bool forward;
    auto operator<=>(const Key&) const = default;
};

void collect(const TracedRun& run, const std::vector<int>& placement, int iteration, Bounds& bounds) {
    std::map<Key, std::int64_t> produced;  // end of F, and of B or I
    const auto of = [&](const TracedOp& op) {
        return Key{op.iteration, op.stage, op.microbatch, op.op == Op::Forward};
    };
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : ofIteration(rank.ops, iteration))
            if (isCompute(op.op) && op.op != Op::Recompute && op.op != Op::BackwardWeight)
                produced[of(op)] = op.end_ns;
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : ofIteration(rank.ops, iteration)) {
            if (!isCompute(op.op) || op.op == Op::Recompute || op.op == Op::BackwardWeight) continue;
            Key source = of(op);
            source.stage += source.forward ? -1 : 1;
            const auto found = produced.find(source);
            if (found == produced.end()) continue;
            const int from = placement[static_cast<std::size_t>(source.stage)];
            if (from == rank.rank) continue;
            Bound& bound = bounds.at(from, rank.rank);
            const std::int64_t slack = op.start_ns - found->second;
            if (slack < bound.slack_ns)
                bound = {slack,
                         {source.stage, source.forward ? Op::Forward : op.op, source.microbatch},
                         {op.stage, op.op, op.microbatch},
                         iteration};
        }
}

// Of a cycle as Bounds::solve() gives it: each rank is bound by the next.
Sentence contradiction(Bounds& bounds, const std::vector<int>& cycle) {
    std::vector<Sentence> needs;
    int iteration = 0;
    for (std::size_t at = 0; at < cycle.size(); ++at) {
        const Bound& bound = bounds.at(cycle[at], cycle[(at + 1) % cycle.size()]);
        iteration = bound.iteration;
        needs.push_back(sentence("{0} needs {1}", toText(bound.started), toText(bound.sent)));
    }
    return sentence("iteration {0}: no shift of the clocks puts these in order: {1}", iteration,
                    inARow(needs));
}

// Of one clock: what starts before what it waits for has ended.
Sentence tooEarly(const Bound& bound) {
    return sentence("iteration {0}: {1} begins {2} ms before {3}, which it needs, has ended", bound.iteration,
                    toText(bound.started), millisecondsText(static_cast<double>(-bound.slack_ns) / 1e6),
                    toText(bound.sent));
}

struct Span {
    std::int64_t first_ns = kNone, last_ns = -kNone;
    std::int64_t length_ns() const { return last_ns > first_ns ? last_ns - first_ns : 0; }
    void take(const TracedOp& op) {
        first_ns = std::min(first_ns, op.start_ns);
        last_ns = std::max(last_ns, op.end_ns);
    }
};

// What clocks that are set by a network may run apart in that run, for each of the two ways of messages
// between them half of it: adjtimex() slews by 500 millionths at most.
std::int64_t mostDrift(const TracedRun& run) {
    constexpr std::int64_t share = 4000;
    std::int64_t longest_ns = 0;
    for (const TracedRank& rank : run.ranks) {
        Span span;
        for (const TracedOp& op : rank.ops) span.take(op);
        longest_ns = std::max(longest_ns, span.length_ns());
    }
    return longest_ns / share;
}

// What times are precise to: where operations of different ranks overlap by more, a bubble may be wrong by
// more than two percentage points.
std::int64_t precisionOf(const TracedRun& run) {
    constexpr std::int64_t share = 50;
    std::vector<std::int64_t> lengths_ns;
    for (const TracedRank& rank : run.ranks)
        for (const TracedOp& op : rank.ops)
            if (isCompute(op.op)) lengths_ns.push_back(op.end_ns - op.start_ns);
    return lengths_ns.empty() ? 0 : static_cast<std::int64_t>(median(std::move(lengths_ns))) / share;
}

void shift(TracedRun& run, const std::vector<std::int64_t>& by_ns, int iteration, std::int64_t base_ns) {
    for (TracedRank& rank : run.ranks) {
        const std::int64_t ns = by_ns[static_cast<std::size_t>(rank.rank)] + base_ns;
        const auto move = [&](auto& items) {
            for (auto& item : iteration < 0 ? std::span(items) : ofIteration(items, iteration)) {
                item.start_ns += ns;
                if constexpr (requires { item.end_ns; }) item.end_ns += ns;
                if constexpr (requires { item.transfer_ns; }) item.transfer_ns += ns;
            }
        };
        move(rank.ops);
        move(rank.receives);
        move(rank.sends);
    }
}

}  // namespace

namespace {

struct Shifts {
    std::vector<std::int64_t> by_ns;  // (ranks,)
    bool aligned = true;
    bool imprecise = false;  // within what times are precise to
    bool drift = false;      // not by one shift, and clocks of several hosts explain it
    std::optional<Sentence> wrong;
};

Shifts shiftsOf(Bounds& bounds, const TracedRun& run, const std::vector<int>& iterations) {
    const std::int64_t precise_ns = precisionOf(run);
    Bounds::Solution solution = bounds.solve();
    Shifts shifts;
    if (!solution.cycle.empty()) {
        shifts.wrong = contradiction(bounds, solution.cycle);
        shifts.drift = run.clocks == Clocks::PerRank && iterations.size() > 1 &&
                       bounds.relaxed(mostDrift(run)).solve().cycle.empty();
        solution = bounds.relaxed(precise_ns).solve();
        shifts.imprecise = shifts.aligned = solution.cycle.empty();
    }
    const auto [least, most] = std::ranges::minmax_element(solution.shift_ns);
    // Of kernels the clocks are those of the GPUs.
    const bool one_clock =
        run.clocks == Clocks::Shared && run.times != Times::Kernels && run.provenance == Provenance::Imported;
    if (shifts.aligned && one_clock && *most - *least > precise_ns) {
        shifts.aligned = false;
        shifts.wrong = tooEarly(bounds.tightest());
    }
    shifts.by_ns =
        shifts.aligned ? solution.shift_ns : std::vector<std::int64_t>(solution.shift_ns.size(), 0);
    return shifts;
}

// Clocks of several hosts that ran apart. What lies between iterations is lost with that.
AlignedClocks alignEachIteration(TracedRun& run, const std::vector<int>& placement,
                                 const std::vector<int>& iterations) {
    run.clocks = Clocks::PerIteration;
    run.growing.clear();
    run.notes.push_back(sentence(
        "the clocks of the ranks ran apart during the recording: they are brought together anew for every "
        "iteration, and what lies between iterations is not shown"));
    return alignClocks(run, placement, iterations);
}

}  // namespace

void requireTimes(const TracedRun& run) {
    for (const TracedRank& rank : run.ranks) {
        std::map<int, std::pair<std::int64_t, std::int64_t>> spans;  // by iteration, where each has its clock
        const auto take = [&](int iteration, std::int64_t ns) {
            if (ns <= -kFarthest_ns || ns >= kFarthest_ns) refuseTimes();
            auto& [first, last] =
                spans.try_emplace(run.clocks == Clocks::PerIteration ? iteration : 0, ns, ns).first->second;
            first = std::min(first, ns);
            last = std::max(last, ns);
            if (last - first > kLongestRun_ns) refuseTimes();
        };
        for (const TracedOp& op : rank.ops) take(op.iteration, op.start_ns), take(op.iteration, op.end_ns);
        for (const TracedSend& each : rank.sends) take(each.iteration, each.start_ns);
        for (const TracedReceive& each : rank.receives)
            for (const std::int64_t ns : {each.start_ns, each.end_ns}) take(each.iteration, ns);
        if (!run.messages_recorded) continue;
        for (const TracedReceive& each : rank.receives) take(each.iteration, each.transfer_ns);
    }
}

AlignedClocks alignClocks(TracedRun& run, const std::vector<int>& placement,
                          const std::vector<int>& iterations) {
    requireTimes(run);
    AlignedClocks alignment;
    const auto ranks = static_cast<std::size_t>(run.p);
    // Groups of iterations that share their shifts; -1 stands for all.
    std::vector<int> groups = run.clocks == Clocks::PerIteration ? iterations : std::vector<int>{-1};
    bool imprecise = false;
    std::int64_t base_ns = run.goes_on ? run.end_ns : 0;
    for (const int group : groups) {
        Bounds bounds(run.p);
        for (const int iteration : iterations)
            if (group < 0 || group == iteration) collect(run, placement, iteration, bounds);
        Shifts shifts = shiftsOf(bounds, run, iterations);
        if (shifts.drift) return alignEachIteration(run, placement, iterations);
        const std::vector<std::int64_t>& by_ns = shifts.by_ns;
        if (shifts.wrong) alignment.contradictions.push_back(std::move(*shifts.wrong));
        alignment.aligned = alignment.aligned && shifts.aligned;
        imprecise = imprecise || shifts.imprecise;
        if (shifts.aligned) {
            const auto [least, most] = std::ranges::minmax_element(by_ns);
            alignment.max_shift_ns = std::max(alignment.max_shift_ns, *most - *least);
            for (int from = 0; from < run.p; ++from)
                for (int to = from + 1; to < run.p; ++to) {
                    const std::int64_t there = bounds.at(from, to).slack_ns,
                                       back = bounds.at(to, from).slack_ns;
                    if (there != kNone && back != kNone)
                        alignment.slack_ns = std::max(alignment.slack_ns, there + back);
                }
        }
        if (group < 0) {
            shift(run, by_ns, -1, 0);
            continue;
        }
        std::int64_t first = kNone, last = std::numeric_limits<std::int64_t>::min();
        for (const TracedRank& rank : run.ranks)
            for (const TracedOp& op : ofIteration(rank.ops, group)) {
                first = std::min(first, op.start_ns + by_ns[static_cast<std::size_t>(rank.rank)]);
                last = std::max(last, op.end_ns + by_ns[static_cast<std::size_t>(rank.rank)]);
            }
        shift(run, by_ns, group, base_ns - first);
        base_ns += last - first;
        if (last - first > kLongestRun_ns || base_ns > kLongestRun_ns) refuseTimes();
    }
    if (alignment.aligned && imprecise)
        run.notes.push_back(
            sentence("operations that wait for each other overlap by up to {0} ms: times of different ranks "
                     "are no more "
                     "precise than that",
                     millisecondsText(static_cast<double>(precisionOf(run)) / 1e6)));
    if (groups.front() < 0) {
        // From the first event on, or from that of the run that it goes on with.
        std::int64_t first = kNone, last = -kNone;
        for (const TracedRank& rank : run.ranks)
            for (const TracedOp& op : rank.ops) {
                first = std::min(first, op.start_ns);
                last = std::max(last, op.end_ns);
            }
        if (last - first > kLongestRun_ns) refuseTimes();
        alignment.base_ns = run.goes_on ? std::min(run.base_ns, first - run.end_ns) : first;
        if (last - alignment.base_ns > kLongestRun_ns) refuseTimes();
        shift(run, std::vector<std::int64_t>(ranks, 0), -1, -alignment.base_ns);
    }
    return alignment;
}

}  // namespace bscope
