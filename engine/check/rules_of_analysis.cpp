#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/critical_path.h"
#include "analysis/range_numbers.h"
#include "analysis/waterfall.h"
#include "check/rules.h"
#include "timeline/iteration_events.h"

namespace bscope {
namespace {

struct Stretch {
    std::int64_t start_ns = 0, end_ns = 0;
};

std::int64_t sumOf(const CauseParts& parts) {
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

bool hasNegative(const CauseParts& parts) {
    return std::ranges::any_of(parts, [](std::int64_t ns) { return ns < 0; });
}

}  // namespace

// Optimizer steps are no idle time of a stream, in which they come between two operations; elsewhere they come
// after the iteration.
void checkGaps(const BubbleCauses& causes, const Timeline& timeline, Findings& findings) {
    const IterationSummary& summary = causes.summary();
    std::int64_t idle_ns = 0;
    std::vector<std::vector<Stretch>> stretches(summary.ranks.size());
    for (const IdleGap& gap : summary.gaps) {
        idle_ns += gap.end_ns - gap.start_ns;
        stretches[static_cast<std::size_t>(gap.rank)].push_back({gap.start_ns, gap.end_ns});
    }
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        std::vector<Stretch>& own = stretches[static_cast<std::size_t>(rank)];
        for (const Event& event : ofIteration(timeline.compute(rank), summary.iteration))
            if (isCompute(event.op) || summary.is_stream) own.push_back({event.start_ns, event.end_ns});
        std::erase_if(own, [](const Stretch& each) { return each.start_ns == each.end_ns; });
        std::ranges::sort(own, {}, &Stretch::start_ns);
        for (std::size_t i = 1; i < own.size(); ++i)
            if (own[i].start_ns != own[i - 1].end_ns)
                findings.add(Invariant::Gaps,
                             sentence("rank {0}: {1} ns are both idle and busy, or neither", rank,
                                      std::abs(own[i].start_ns - own[i - 1].end_ns)));
        if (summary.is_stream || own.empty()) continue;
        if (own.front().start_ns != summary.start_ns || own.back().end_ns != summary.end_ns)
            findings.add(Invariant::Gaps,
                         sentence("rank {0}: operations and gaps do not reach from the start of the "
                                  "iteration to its end",
                                  rank));
    }
    if (idle_ns != causes.idle_ns())
        findings.add(Invariant::Gaps, sentence("gaps sum to {0} ns, the idle time is {1} ns", idle_ns,
                                               causes.idle_ns()));
}

void checkCauses(const BubbleCauses& causes, Findings& findings) {
    for (const Gap& gap : causes.gaps())
        if (sumOf(gap.parts) != gap.length_ns() || hasNegative(gap.parts))
            findings.add(Invariant::Causes, sentence("rank {0}: the causes of a gap of {1} ns sum to {2} ns",
                                                     gap.rank, gap.length_ns(), sumOf(gap.parts)));
    if (sumOf(causes.totals()) != causes.idle_ns() || hasNegative(causes.totals()))
        findings.add(Invariant::Causes, sentence("the causes sum to {0} ns, the idle time is {1} ns",
                                                 sumOf(causes.totals()), causes.idle_ns()));
}

// A stream has no waterfall, and its critical path goes on into the iteration before.
void checkDecompositions(const BubbleCauses& causes, const Schedule& order, Findings& findings) {
    const IterationSummary& summary = causes.summary();
    if (summary.is_stream) return;
    if (const std::int64_t path_ns = criticalPath(causes.graph()).length_ns();
        path_ns != summary.iteration_ns)
        findings.add(Invariant::Decompositions,
                     sentence("the critical path is {0} ns long, the iteration {1} ns", path_ns,
                              summary.iteration_ns));
    const auto steps = waterfall(causes, order);
    if (!steps) return;
    std::int64_t sum_ns = 0;
    for (const WaterfallStep& step : steps->steps) sum_ns += step.added_ns;
    if (sum_ns != summary.iteration_ns)
        findings.add(Invariant::Decompositions,
                     sentence("the steps of this run minus theory sum to {0} ns, the iteration is {1} ns",
                              sum_ns, summary.iteration_ns));
}

// All of the iteration, and three parts of it that are cut where no operation is likely to end.
void checkRanges(const BubbleCauses& causes, const Timeline& timeline, Findings& findings) {
    const IterationSummary& summary = causes.summary();
    const auto numbers = [&](std::int64_t from_ns, std::int64_t to_ns) {
        return rangeNumbers(summary, &causes, timeline, {from_ns, to_ns, {}, {}}).all;
    };
    const double length_ns = static_cast<double>(summary.end_ns - summary.start_ns);
    const auto at = [&](double share) {
        return summary.start_ns + static_cast<std::int64_t>(share * length_ns);
    };
    const RangeNumbers::Share all = numbers(summary.start_ns, summary.end_ns);
    std::int64_t parts_busy_ns = 0, parts_idle_ns = 0, parts_causes_ns = 0;
    for (const auto& [from_ns, to_ns] :
         {std::pair{summary.start_ns, at(0.2360679)}, std::pair{at(0.2360679), at(0.6180339)},
          std::pair{at(0.6180339), summary.end_ns}}) {
        const RangeNumbers::Share part = numbers(from_ns, to_ns);
        parts_busy_ns += part.busy_ns;
        parts_idle_ns += part.idle_ns;
        parts_causes_ns += sumOf(part.causes);
    }
    std::int64_t busy_ns = 0;
    for (const RankSummary& rank : summary.ranks) busy_ns += rank.busy_ns;
    const auto same = [&](const char* id, std::int64_t part_ns, std::int64_t whole_ns) {
        if (part_ns != whole_ns) findings.add(Invariant::Ranges, sentence(id, part_ns, whole_ns));
    };
    same("the range of the whole iteration is busy for {0} ns, its ranks for {1} ns", all.busy_ns, busy_ns);
    same("the range of the whole iteration is idle for {0} ns, its ranks for {1} ns", all.idle_ns,
         causes.idle_ns());
    same("the causes of the whole range sum to {0} ns, its idle time is {1} ns", sumOf(all.causes),
         all.idle_ns);
    same("parts of the range are busy for {0} ns, the whole for {1} ns", parts_busy_ns, all.busy_ns);
    same("parts of the range are idle for {0} ns, the whole for {1} ns", parts_idle_ns, all.idle_ns);
    same("the causes of parts of the range sum to {0} ns, their idle time is {1} ns", parts_causes_ns,
         parts_idle_ns);
}

}  // namespace bscope
