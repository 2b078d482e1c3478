#include "import/unnamed_work.h"

#include <algorithm>
#include <utility>

#include "import/trace/import_error.h"
#include "import/neighbours.h"
#include "timeline/median.h"
#include "words/number_text.h"

namespace bscope {
namespace {

constexpr double kWorthANote = 0.01;      // of the bubble of total
constexpr double kLikeAMicrobatch = 0.5;  // times what a micro-batch takes
constexpr std::int64_t kTouches_ns = 20'000;

// What of it lies in none of the operations, which are by start and do not overlap.
std::int64_t beside(const RecordedWork& work, const std::vector<TracedOp>& ops, std::size_t& next) {
    std::int64_t length_ns = 0, from_ns = work.start_ns;
    while (next < ops.size() && (ops[next].iteration < work.iteration ||
                                 (ops[next].iteration == work.iteration && ops[next].end_ns <= from_ns)))
        ++next;
    for (std::size_t at = next;
         at < ops.size() && ops[at].iteration == work.iteration && ops[at].start_ns < work.end_ns; ++at) {
        length_ns += std::max<std::int64_t>(0, ops[at].start_ns - from_ns);
        from_ns = std::max(from_ns, ops[at].end_ns);
    }
    return length_ns + std::max<std::int64_t>(0, work.end_ns - from_ns);
}

// (forward, backward) of a micro-batch on a rank.
std::pair<double, double> microbatchNs(const TracedRank& rank) {
    std::map<Op, std::vector<double>> lengths;
    for (const TracedOp& op : rank.ops)
        if (isCompute(op.op)) lengths[op.op].push_back(static_cast<double>(op.end_ns - op.start_ns));
    std::pair<double, double> all;
    for (auto& [op, of] : lengths) (op == Op::Forward ? all.first : all.second) += median(of);
    return all;
}

}  // namespace

UnnamedShares::UnnamedShares(const TracedRun& run, const std::vector<int>& iterations) {
    std::size_t like_a_microbatch = 0;
    for (const TracedRank& rank : run.ranks) {
        OfRank& of = ranks_.emplace_back();
        of.rank = numberInJob(rank);
        std::map<int, std::pair<std::int64_t, std::int64_t>> span;  // by iteration
        for (const TracedOp& op : rank.ops) {
            if (!isCompute(op.op) || !std::ranges::binary_search(iterations, op.iteration)) continue;
            const auto [at, fresh] = span.try_emplace(op.iteration, op.start_ns, op.end_ns);
            if (!fresh) at->second.second = std::max(at->second.second, op.end_ns);
            of.named_ns += op.end_ns - op.start_ns;
        }
        std::vector<RecordedWork> unnamed = rank.work;
        std::ranges::stable_sort(unnamed, [](const RecordedWork& a, const RecordedWork& b) {
            return std::pair(a.iteration, a.start_ns) < std::pair(b.iteration, b.start_ns);
        });
        std::size_t next = 0;
        std::int64_t forward_ns = 0, backward_ns = 0;
        std::pair<int, std::int64_t> counted{-1, 0};  // up to there, in this iteration
        for (RecordedWork each : unnamed) {
            const auto within = span.find(each.iteration);
            if (within == span.end()) continue;
            if (counted.first == each.iteration) each.start_ns = std::max(each.start_ns, counted.second);
            if (each.end_ns <= each.start_ns) continue;
            counted = {each.iteration, each.end_ns};
            const std::int64_t length_ns = beside(each, rank.ops, next);
            (each.backward ? backward_ns : forward_ns) += length_ns;
            // What prepares or ends an iteration is none of it; what touches its first operation is.
            if (!each.backward &&
                (each.end_ns + kTouches_ns < within->second.first || each.start_ns > within->second.second))
                continue;
            of.unnamed_ns[each.iteration] += length_ns;
            of.all_ns += length_ns;
        }
        const auto [forward, backward] = microbatchNs(rank);
        const double least = kLikeAMicrobatch * static_cast<double>(span.size());
        like_a_microbatch += forward > 0 && backward > 0 &&
                             static_cast<double>(forward_ns) >= least * forward &&
                             static_cast<double>(backward_ns) >= least * backward;
    }
    if (run.ranks.empty() || like_a_microbatch < run.ranks.size()) return;
    throw ImportError(sentence(
        "every rank did forward and backward work that no name covers, in an iteration at least half as much "
        "as a micro-batch takes: names of micro-batches are missing, or the ranges hold only a part of each "
        "operation, so that m and the bubble would be wrong. Name all of every forward and every backward"));
}

void UnnamedShares::note(std::vector<Sentence>& notes, const std::map<int, std::int64_t>& lengths_ns) const {
    double most = 0;
    for (const auto& [iteration, length_ns] : lengths_ns) {
        double all_ns = 0;
        for (const OfRank& of : ranks_)
            if (const auto found = of.unnamed_ns.find(iteration); found != of.unnamed_ns.end())
                all_ns += static_cast<double>(found->second);
        if (length_ns > 0)
            most =
                std::max(most, all_ns / static_cast<double>(ranks_.size()) / static_cast<double>(length_ns));
    }
    if (most < kWorthANote) return;
    const OfRank& least = *std::ranges::max_element(ranks_, {}, [](const OfRank& of) {
        return static_cast<double>(of.all_ns) / static_cast<double>(std::max<std::int64_t>(1, of.named_ns));
    });
    notes.push_back(sentence(
        "work lies between the named operations that no name covers, most of all on rank {0}, where names "
        "cover {1} % of what was recorded: it counts as idle time, so that the bubble is too high by about "
        "{2} percentage points",
        least.rank,
        fixedText(100 * static_cast<double>(least.named_ns) /
                      static_cast<double>(std::max<std::int64_t>(1, least.named_ns + least.all_ns)),
                  0),
        percentNumber(most)));
}

}  // namespace bscope
