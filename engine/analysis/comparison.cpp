#include "analysis/comparison.h"

#include <algorithm>

namespace bscope {

IterationTotals totalsOf(const BubbleCauses& causes) {
    const IterationSummary& summary = causes.summary();
    IterationTotals totals;
    totals.iteration_ns = summary.iteration_ns;
    totals.idle_ns = causes.idle_ns();
    totals.bubble_of_total = summary.bubble_of_total;
    totals.causes = causes.totals();
    for (const RankSummary& rank : summary.ranks) {
        totals.ranks.push_back({rank.busy_ns, 0, rank.peak_activation_bytes});
        totals.peak_bytes = std::max(totals.peak_bytes, rank.peak_activation_bytes);
    }
    for (const Gap& gap : causes.gaps())
        totals.ranks[static_cast<std::size_t>(gap.rank)].idle_ns += gap.length_ns();
    return totals;
}

IterationTotals difference(const IterationTotals& a, const IterationTotals& b) {
    IterationTotals found;
    found.iteration_ns = b.iteration_ns - a.iteration_ns;
    found.idle_ns = b.idle_ns - a.idle_ns;
    found.bubble_of_total = b.bubble_of_total - a.bubble_of_total;
    for (std::size_t i = 0; i < found.causes.size(); ++i) found.causes[i] = b.causes[i] - a.causes[i];
    found.peak_bytes = b.peak_bytes - a.peak_bytes;
    for (std::size_t rank = 0; rank < std::min(a.ranks.size(), b.ranks.size()); ++rank)
        found.ranks.push_back({b.ranks[rank].busy_ns - a.ranks[rank].busy_ns,
                               b.ranks[rank].idle_ns - a.ranks[rank].idle_ns,
                               b.ranks[rank].peak_bytes - a.ranks[rank].peak_bytes});
    return found;
}

}  // namespace bscope
