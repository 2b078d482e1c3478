#include "import/clock_alignment.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "import/import_error.h"
#include "import/numbering.h"
#include "words/said.h"

namespace bscope {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuseTimes() {
    throw ImportError(timesApart());
}

void requireTimesOfClocks(const TracedRun& run) {
    const auto require = [](std::int64_t ns) {
        if (ns <= -kFarthest_ns || ns >= kFarthest_ns) refuseTimes();
    };
    for (const TracedRank& rank : run.ranks) {
        for (const TracedOp& op : rank.ops) require(op.start_ns), require(op.end_ns);
        for (const TracedSend& each : rank.sends) require(each.start_ns);
        for (const TracedReceive& each : rank.receives)
            require(each.start_ns), require(each.end_ns), require(each.transfer_ns);
    }
}

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

AlignedClocks alignClocks(TracedRun& run, const std::vector<int>& placement,
                          const std::vector<int>& iterations) {
    requireTimesOfClocks(run);
    AlignedClocks alignment;
    const auto ranks = static_cast<std::size_t>(run.p);
    // Groups of iterations that share their shifts; -1 stands for all.
    std::vector<int> groups = run.clocks == Clocks::PerIteration ? iterations : std::vector<int>{-1};
    std::int64_t base_ns = 0;
    for (const int group : groups) {
        Bounds bounds(run.p);
        for (const int iteration : iterations)
            if (group < 0 || group == iteration) collect(run, placement, iteration, bounds);
        auto solution = bounds.solve();
        std::vector<std::int64_t> by_ns(ranks, 0);
        if (!solution.cycle.empty()) {
            alignment.aligned = false;
            alignment.contradictions.push_back(contradiction(bounds, solution.cycle));
        } else {
            by_ns = solution.shift_ns;
            const auto [least, most] = std::minmax_element(by_ns.begin(), by_ns.end());
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
