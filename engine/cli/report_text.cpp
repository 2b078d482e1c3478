#include "cli/report_text.h"

#include <algorithm>

#include "cli/import_text.h"
#include "cli/number_text.h"
#include "cli/terminal.h"
#include "schedule/bubble_formula.h"
#include "schedule/catalog.h"
#include "timeline/analysis.h"
#include "timeline/text_gantt.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

bool isStream(const IterationReport& report) {
    return std::any_of(report.ranks.begin(), report.ranks.end(),
                       [](const RankReport& rank) { return rank.weight_versions > 1; });
}

std::string theoryText(const IterationReport& report) {
    if (!report.theory_bubble_of_total) return "no closed form";
    if (isStream(report)) return "0 % in a full stream, which never drains";
    const CatalogEntry* entry = findSchedule(report.schedule);
    const std::string value = percent(*report.theory_bubble_of_total);
    if (entry == nullptr) return value;
    if (*entry->idle_formula == '\0') return value + " = " + entry->bubble_formula;
    return value + " = " + formulaForAnyDurations(*entry) + " with this run's F, I and W";
}

std::string replicasText(const IterationReport& report) {
    if (report.d == 1) return {};
    std::string text = " d=";
    text += std::to_string(report.d) + " (";
    return text += std::to_string(report.p * report.d) + " ranks)";
}

void printRanks(std::ostream& out, const IterationReport& report) {
    const bool versions = isStream(report);
    out << "rank   busy ms   wait ms   transfer ms   bubble   peak activations   reserved   most in flight   "
           "  "
        << (versions ? "weights   versions   staleness\n" : "weights\n");
    for (const RankReport& rank : report.ranks) {
        out << aligned(std::to_string(rank.rank), 4) << aligned(fixed(rank.busy_ms, 1), 10)
            << aligned(fixed(rank.wait_ms, 1), 10) << aligned(fixed(rank.transfer_ms, 2), 14)
            << aligned(percent(rank.bubble_of_total), 9) << aligned(megabytes(rank.peak_activation_bytes), 19)
            << aligned(rank.reserved_bytes > 0 ? megabytes(rank.reserved_bytes) : "-", 11)
            << aligned(std::to_string(rank.peak_in_flight), 17) << aligned(megabytes(rank.weight_bytes), 12);
        if (versions)
            out << aligned(std::to_string(rank.weight_versions), 11)
                << aligned(std::to_string(rank.staleness), 12);
        out << '\n';
    }
}

}  // namespace

nlohmann::ordered_json reportJson(const IterationReport& report) {
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
    for (const RankReport& rank : report.ranks) {
        nlohmann::ordered_json& of_rank = ranks.emplace_back();
        of_rank = {{"rank", rank.rank},
                   {"busy_ms", rank.busy_ms},
                   {"wait_ms", rank.wait_ms},
                   {"transfer_ms", rank.transfer_ms},
                   {"bubble_of_total", rank.bubble_of_total},
                   {"peak_activation_bytes", rank.peak_activation_bytes},
                   {"peak_in_flight", rank.peak_in_flight},
                   {"weight_bytes", rank.weight_bytes}};
        if (rank.reserved_bytes > 0) of_rank["reserved_activation_bytes"] = rank.reserved_bytes;
        if (report.knowsLaunchGaps()) of_rank["launch_gap_ms"] = rank.launch_gap_ms;
        if (rank.driver_bytes > 0) of_rank["driver_bytes"] = rank.driver_bytes;
        if (!isStream(report)) continue;
        of_rank["weight_versions"] = rank.weight_versions;
        of_rank["stashed_weight_bytes"] = rank.stashed_weight_bytes;
        of_rank["staleness"] = rank.staleness;
    }
    nlohmann::ordered_json theory;
    if (report.theory_bubble_of_total) theory = *report.theory_bubble_of_total;
    nlohmann::ordered_json out = {{"iteration", report.iteration},
                                  {"schedule", report.schedule},
                                  {"p", report.p},
                                  {"m", report.m},
                                  {"v", report.v},
                                  {"recompute", toText(report.recompute)},
                                  {"device", report.device},
                                  {"provenance", toText(report.provenance)},
                                  {"iteration_ms", report.iteration_ms},
                                  {"span_ms", report.span_ms},
                                  {"host_ms", report.host_ms},
                                  {"optimizer_ms", report.optimizer_ms},
                                  {"bubble_of_total", report.bubble_of_total},
                                  {"bubble_of_ideal", report.bubble_of_ideal},
                                  {"predicted_bubble_of_total", report.predicted_bubble_of_total},
                                  {"theory_bubble_of_total", std::move(theory)},
                                  {"tokens_per_s", report.tokens_per_s},
                                  {"loss", report.loss},
                                  {"grad_norm", report.grad_norm},
                                  {"disturbed", report.disturbed},
                                  {"held_share", report.held_share},
                                  {"dropped_events", report.dropped_events}};
    if (report.d > 1) out["d"] = report.d;
    if (report.timing.ofGpus()) out["timing"] = say(wordsOf(report.timing), Language::English);
    if (report.tracing_cost) out["tracing_cost"] = *report.tracing_cost;
    if (report.clock_residual_us) out["clock_residual_us"] = *report.clock_residual_us;
    out["ranks"] = std::move(ranks);
    return out;
}

std::string disturbanceText(const IterationReport& report) {
    switch (disturbanceOf(report)) {
        case Disturbance::None:
            return {};
        case Disturbance::Operations:
            return "disturbed: wall / CPU time " + fixed(report.wall_over_cpu, 2) +
                   ", something else ran on these cores";
        case Disturbance::Cores:
            return "disturbed: for " + percent(report.held_share) +
                   " of the iteration, all ranks together, something else had the core of a rank that could "
                   "have "
                   "gone on";
        case Disturbance::Requests:
            return "disturbed: the stream had to wait until more iterations were asked for";
    }
    return {};
}

void printReport(std::ostream& out, const IterationReport& report) {
    out << titleOf(report.schedule) << " · p=" << report.p << " m=" << report.m << " v=" << report.v
        << replicasText(report) << " · recompute " << toText(report.recompute) << " · iteration "
        << report.iteration << "   [" << toText(report.provenance) << " · " << report.device
        << (report.timing.ofGpus() ? " · " + say(wordsOf(report.timing), Language::English) : "") << "]\n"
        << "iteration " << fixed(report.iteration_ms, 1) << " ms, " << fixed(report.tokens_per_s, 0)
        << " tokens/s; optimizer " << fixed(report.optimizer_ms, 1) << " ms apart; on this machine's clock "
        << fixed(report.host_ms, 1) << " ms\n"
        << "loss " << fixed(report.loss, 4) << ", gradient norm " << fixed(report.grad_norm, 3) << '\n'
        << "bubble " << percent(report.bubble_of_total) << " of total = 1 - compute / ("
        << (report.d > 1 ? "p * d" : "p") << " * iteration); predicted from its own costs "
        << percent(report.predicted_bubble_of_total) << "; theory " << theoryText(report) << "\n       "
        << percent(report.bubble_of_ideal) << " of ideal = idle / compute\n";
    const CatalogEntry* entry = findSchedule(report.schedule);
    if (entry != nullptr && entry->split_backward && report.p > 1)
        out << "longest span of a rank " << fixed(report.span_ms, 1)
            << " ms; the norm of all gradients stands before the optimizer step and the ranks begin the "
               "next\n"
               "       iteration together: the parallelogram of the zero-bubble papers is lost\n";
    if (report.clock_residual_us)
        out << "clocks of the processes aligned: times of different ranks are comparable within "
            << fixed(*report.clock_residual_us, 1) << " us\n";
    if (report.disturbed) out << disturbanceText(report) << '\n';
    if (report.tracing_cost)
        out << "tracing costs " << percent(*report.tracing_cost)
            << " of the iteration: with tracing over without it, minus 1\n";
    if (report.dropped_events > 0) out << report.dropped_events << " events were dropped\n";
    out << '\n';
    printRanks(out, report);
}

void printIteration(std::ostream& out, const RunLog& log, const IterationReport& report, Language language) {
    if (const auto start = log.startOf(report.iteration); start && start->import)
        printImportedIteration(out, *start, report, language);
    else
        printReport(out, report);
    const Timeline timeline = log.timelineToSummarize(report.iteration);
    if (!hasComputed(timeline, report.iteration)) return;  // it was not traced
    const Terminal terminal = outputTerminal();
    // Of an own run everything is in English.
    const bool imported = timeline.provenance() == Provenance::Imported;
    out << '\n'
        << textGantt(timeline, report.iteration, terminal.columns, terminal.colours,
                     imported ? language : Language::English);
}

}  // namespace bscope::cli
