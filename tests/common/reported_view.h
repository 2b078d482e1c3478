// A complete iteration with a report, for tests of the panel of numbers.
#pragma once

#include "sample_view.h"

namespace bscope::ui {

inline QString plain(QString text) {
    return text.replace(QChar(0x00A0), ' ');
}

inline IterationView reportedView(const SampleOptions& options = {}) {
    IterationView made = sampleView(options);
    if (!made.report) return made;
    IterationReport& report = *made.report;
    report.provenance = Provenance::Reconstructed;
    report.iteration_ms = static_cast<double>(made.summary->iteration_ns) / 1e6;
    report.bubble_of_total = made.summary->bubble_of_total;
    report.predicted_bubble_of_total = made.plan_summary.bubble_of_total;
    report.predicted_iteration_ms = static_cast<double>(made.plan_summary.iteration_ns) / 1e6;
    report.costs = sampleCosts(options.p * options.v, options.v, false);
    for (int rank = 0; rank < options.p; ++rank) {
        RankReport one;
        one.rank = rank;
        one.weight_bytes = rank == 0 ? 7'100'000 : 6'300'000;
        one.gradient_bytes = 6'300'000;
        one.optimizer_bytes = 12'600'000;
        one.buffer_bytes = 800'000;
        report.ranks.push_back(one);
    }
    return made;
}

}  // namespace bscope::ui
