#include "timeline/measured_report.h"

namespace bscope {

void fillMeasured(IterationReport& report, const IterationSummary& summary) {
    report.iteration_ms = toMs(summary.iteration_ns);
    report.span_ms = toMs(summary.span_ns);
    report.optimizer_ms = toMs(summary.optimizer_ns);
    report.bubble_of_total = summary.bubble_of_total;
    report.bubble_of_ideal = summary.bubble_of_ideal;
    for (const RankSummary& rank : summary.ranks) {
        RankReport& of_rank = report.ranks.emplace_back();
        of_rank.rank = rank.rank;
        of_rank.busy_ms = toMs(rank.busy_ns);
        of_rank.wait_ms = toMs(rank.wait_ns);
        of_rank.transfer_ms = toMs(rank.transfer_ns);
        of_rank.bubble_of_total = rank.bubble_of_total;
        of_rank.peak_activation_bytes = rank.peak_activation_bytes;
        of_rank.peak_in_flight = rank.peak_in_flight;
    }
}

}  // namespace bscope
