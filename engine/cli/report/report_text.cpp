#include "cli/report/report_text.h"

#include <algorithm>

#include "catalog/bubble_formula.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "cli/input/terminal.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "cli/print/text_table.h"
#include "cli/report/import_text.h"
#include "timeline/analysis.h"
#include "view/text/text_gantt.h"
#include "view/view_data.h"
#include "words/catalog.h"
#include "words/number_text.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

bool isStream(const IterationReport& report) {
    return std::any_of(report.ranks.begin(), report.ranks.end(),
                       [](const RankReport& rank) { return rank.weight_versions > 1; });
}

Sentence theoryWords(const IterationReport& report) {
    if (!report.theory_bubble_of_total) return sentence("no theory known");
    if (isStream(report)) return sentence("0 % in a full stream, which never drains");
    const CatalogEntry* entry = findSchedule(report.schedule);
    const std::string value = percent(*report.theory_bubble_of_total);
    if (entry == nullptr) return sentence("{0}", value);
    if (*entry->idle_formula == '\0') return sentence("{0}", value + " = " + entry->bubble_formula);
    return sentence("{0} with this run's F, I and W", value + " = " + formulaForAnyDurations(*entry));
}

Sentence recomputeWords(const IterationReport& report) {
    if (report.recompute == Recompute::None) return sentence("nothing recomputed");
    if (report.recompute == Recompute::Full && report.checkpoint_every == CheckpointEvery::Layer)
        return sentence("recomputation: full, layer by layer inside the backward");
    return sentence("recomputation: {0}", sentence(toText(report.recompute)));
}

Sentence disturbanceWords(const IterationReport& report) {
    switch (disturbanceOf(report)) {
        case Disturbance::None:
            return {};
        case Disturbance::Operations:
            return sentence("disturbed: wall / CPU time {0}, other programs ran on these cores",
                            fixed(report.wall_over_cpu, 2));
        case Disturbance::Cores:
            return sentence(
                "disturbed: ranks that were ready to run waited for a core, in total for {0} of the "
                "iteration",
                percent(report.held_share));
        case Disturbance::Requests:
            return sentence("disturbed: the stream had to wait until more iterations were requested");
    }
    return {};
}

Sentence throttlingWords(const IterationReport& report) {
    std::string ranks;
    for (const RankReport& rank : report.ranks)
        if (rank.throttles.value_or(0) > 0)
            ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank.rank) + " (" +
                     std::to_string(*rank.throttles) + ")";
    return sentence("throttled: the processor lowered its clock because of heat, rank (times): {0}", ranks);
}

void printHead(const LinePrinter& printer, const IterationReport& report) {
    const CatalogEntry* entry = findSchedule(report.schedule);
    printer.out() << (entry != nullptr ? titleOf(*entry, printer.language())
                                       : shown(titleOf(report.schedule)))
                  << " · " << sizesText(report.params(), report.sequence_parallel);
    if (report.d > 1 || report.t > 1)
        printer.out() << ' ' << printer.words("({0} ranks)", report.layout().world());
    printer.out() << " · " << printer.words(recomputeWords(report)) << " · "
                  << printer.words("iteration {0}", numberOf(report)) << "   [" << toText(report.provenance)
                  << " · " << shown(report.device);
    if (report.timing.ofGpus()) printer.out() << " · " << printer.words(wordsOf(report.timing));
    printer.out() << "]\n";
}

void printRanks(const LinePrinter& printer, const IterationReport& report) {
    const bool versions = isStream(report);
    std::vector<std::string> head;
    for (const char* each : {"rank", "busy ms", "wait ms", "transfer ms", "bubble", "peak activations",
                             "reserved", "most in flight", "weights"})
        head.push_back(printer.words(each));
    if (report.zero > 0) head.push_back(printer.words("optimizer state"));
    if (versions) head.insert(head.end(), {printer.words("versions"), printer.words("staleness")});
    if (report.t > 1)
        for (const char* each : {"shards wait ms", "shards sum ms", "shards sent"})
            head.push_back(printer.words(each));
    TextTable table(std::string(head.size(), 'r'));
    table.row(std::move(head));
    const int decimals = decimalsOf(report.iteration_ms);
    for (const RankReport& rank : report.ranks) {
        std::vector<std::string> cells{std::to_string(rank.rank),
                                       fixed(rank.busy_ms, decimals),
                                       fixed(rank.wait_ms, decimals),
                                       fixed(rank.transfer_ms, decimals + 1),
                                       percent(rank.bubble_of_total),
                                       megabytes(rank.peak_activation_bytes),
                                       rank.reserved_bytes > 0 ? megabytes(rank.reserved_bytes) : "-",
                                       std::to_string(rank.peak_in_flight),
                                       megabytes(rank.weight_bytes)};
        if (report.zero > 0) cells.push_back(megabytes(rank.optimizer_bytes));
        if (versions) {
            cells.push_back(std::to_string(rank.weight_versions));
            cells.push_back(std::to_string(rank.staleness));
        }
        if (report.t > 1) {
            cells.push_back(fixed(rank.shards_wait_ms, decimals));
            cells.push_back(fixed(rank.shards_transfer_ms, decimals));
            cells.push_back(megabytes(rank.shards_bytes));
        }
        table.row(std::move(cells));
    }
    table.print(printer.out());
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
        of_rank["throttles"] = orNull(rank.throttles);
        if (rank.driver_bytes > 0) of_rank["driver_bytes"] = rank.driver_bytes;
        if (report.t > 1) {
            of_rank["shards_wait_ms"] = rank.shards_wait_ms;
            of_rank["shards_transfer_ms"] = rank.shards_transfer_ms;
            of_rank["shards_bytes"] = rank.shards_bytes;
        }
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
                                  {"checkpoint_every", toText(report.checkpoint_every)},
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
                                  {"throttles", orNull(throttlesOf(report))},
                                  {"dropped_events", report.dropped_events}};
    if (!report.matrix_products.empty()) out["matrix_products"] = report.matrix_products;
    if (report.d > 1) out["d"] = report.d;
    if (report.zero > 0) out["zero"] = report.zero;
    if (report.t > 1) {
        out["t"] = report.t;
        out["sequence_parallel"] = report.sequence_parallel;
    }
    if (report.segments > 1) out["segments"] = report.segments;
    if (report.timing.ofGpus()) out["timing"] = say(wordsOf(report.timing), Language::English);
    if (report.tracing_cost) out["tracing_cost"] = *report.tracing_cost;
    if (report.clock_residual_us) out["clock_residual_us"] = *report.clock_residual_us;
    out["ranks"] = std::move(ranks);
    return out;
}

void printReportCaveats(const LinePrinter& printer, const IterationReport& report) {
    if (report.clock_residual_us)
        printer.line("clocks of the processes aligned: times of different ranks are comparable within {0} us",
                     fixed(*report.clock_residual_us, 1));
    if (report.disturbed) printer.out() << printer.words(disturbanceWords(report)) << '\n';
    if (throttlesOf(report).value_or(0) > 0) printer.out() << printer.words(throttlingWords(report)) << '\n';
    if (report.tracing_cost)
        printer.line("tracing costs {0} of the iteration: with tracing over without it, minus 1",
                     percent(*report.tracing_cost));
    if (const auto share = launchGapShare(report))
        printer.line(
            "launch gaps {0} of compute: inside operations, none of their kernels running; larger "
            "micro-batches and CUDA graphs make them smaller",
            percent(*share));
    if (report.dropped_events > 0) printer.line("{0} events were dropped", report.dropped_events);
}

void printReport(const LinePrinter& printer, const IterationReport& report) {
    printHead(printer, report);
    printer.line(
        "iteration {0} ms, {1} tokens/s; optimizer {2} ms, not included; on this machine's clock {3} ms",
        milliseconds(report.iteration_ms), fixed(report.tokens_per_s, 0), milliseconds(report.optimizer_ms),
        milliseconds(report.host_ms));
    printer.line("loss {0}, gradient norm {1}", fixed(report.loss, 4), fixed(report.grad_norm, 3));
    printer.line(
        "bubble {0} of total = 1 - compute / ({1} * iteration); predicted from its own costs {2}; theory "
        "{3}",
        percent(report.bubble_of_total), report.layout().worldText(),
        percent(report.predicted_bubble_of_total), theoryWords(report));
    printer.line("{0} of ideal = idle / compute", percent(report.bubble_of_ideal));
    const CatalogEntry* entry = findSchedule(report.schedule);
    if (entry != nullptr && entry->split_backward && report.p > 1)
        printer.line(
            "longest span of a rank {0} ms; the optimizer step waits for the norm of all gradients, so the "
            "ranks begin the next iteration together: the parallelogram of the zero-bubble papers is lost",
            milliseconds(report.span_ms));
    printReportCaveats(printer, report);
    printer.out() << '\n';
    printRanks(printer, report);
}

void printIteration(std::ostream& out, const RunLog& log, const IterationReport& report, Language language) {
    if (const auto start = log.startOf(report.iteration); start && start->import)
        printImportedIteration(out, *start, report, language);
    else
        printReport({out, language}, report);
    const Timeline timeline = log.timelineToSummarize(report.iteration);
    if (!hasComputed(timeline, report.iteration)) return;  // it was not traced
    const Terminal terminal = outputTerminal();
    out << '\n' << textGantt(timeline, report.iteration, terminal.columns, terminal.colours, language);
}

}  // namespace bscope::cli
