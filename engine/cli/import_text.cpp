#include "cli/import_text.h"

#include <cmath>

#include "cli/number_text.h"
#include "cli/terminal.h"
#include "schedule/catalog.h"
#include "timeline/text_gantt.h"

namespace bscope::cli {
namespace {

using nlohmann::ordered_json;

void addKnown(ordered_json& object, const char* key, double value) {
    if (!std::isnan(value)) object[key] = value;
}

std::optional<double> primusBubble(const ImportedRun& run, int iteration, int rank) {
    const auto found = run.primus_bubbles.find({iteration, rank});
    return found == run.primus_bubbles.end() ? std::nullopt : std::optional(found->second);
}

ordered_json rankJson(const ImportedRun& run, int iteration, const RankReport& rank) {
    const bool knows_transfers = run.knows_transfers;
    ordered_json out = {{"rank", rank.rank}, {"busy_ms", rank.busy_ms}};
    // Without both ends of a message its waiting and transfer are one number.
    out[knows_transfers ? "wait_ms" : "wait_and_transfer_ms"] = rank.wait_ms;
    addKnown(out, "transfer_ms", rank.transfer_ms);
    out["bubble_of_total"] = rank.bubble_of_total;
    if (const auto bubble = primusBubble(run, iteration, rank.rank))
        out["bubble_as_primus_defines_it"] = *bubble;
    out["peak_in_flight"] = rank.peak_in_flight;
    return out;
}

ordered_json rowJson(const ImportedRun& run, const IterationReport& report) {
    ordered_json out = {{"iteration", report.iteration},
                        {"schedule", report.schedule},
                        {"p", report.p},
                        {"m", report.m},
                        {"v", report.v},
                        {"device", report.device},
                        {"provenance", toText(report.provenance)},
                        {"iteration_ms", report.iteration_ms},
                        {"span_ms", report.span_ms}};
    addKnown(out, "optimizer_ms", report.optimizer_ms);
    out["bubble_of_total"] = report.bubble_of_total;
    out["bubble_of_ideal"] = report.bubble_of_ideal;
    addKnown(out, "predicted_bubble_of_total", report.predicted_bubble_of_total);
    addKnown(out, "predicted_iteration_ms", report.predicted_iteration_ms);
    out["theory_bubble_of_total"] =
        report.theory_bubble_of_total ? ordered_json(*report.theory_bubble_of_total) : ordered_json();
    ordered_json& ranks = out["ranks"] = ordered_json::array();
    for (const RankReport& rank : report.ranks) ranks.push_back(rankJson(run, report.iteration, rank));
    return out;
}

template <class Value>
ordered_json orNull(const std::optional<Value>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

std::string scheduleText(const ImportedRun& run) {
    const Recognition& found = run.recognition;
    if (found.schedule) {
        std::string text = findSchedule(*found.schedule)->title;
        if (found.group_size > 0) text += " in groups of " + std::to_string(found.group_size);
        return text + ": every operation in its place";
    }
    if (!found.nearest) return "no schedule of the catalog allows these p, v and m";
    const FirstDifference& first = *found.first_difference;
    return "none of the catalog; nearest is " + std::string(findSchedule(*found.nearest)->title) +
           ", from which rank " + std::to_string(first.rank) + " parts at its operation " +
           std::to_string(first.position) + ": " +
           (first.expected.empty() ? "nothing more" : first.expected) + " expected, " +
           (first.found.empty() ? "nothing more" : first.found) + " found";
}

void printCosts(std::ostream& out, const ImportedRun& run) {
    out << "stage   rank   operation    median ms   least ms   greatest ms   times\n";
    for (const DurationSpread& each : run.durations) {
        if (each.op == Op::OptimizerStep) continue;
        out << aligned(std::to_string(each.stage), 5)
            << aligned(std::to_string(run.schedule.placement[static_cast<std::size_t>(each.stage)]), 7)
            << "   " << padded(std::string(opText(each.op)), 9) << aligned(fixed(each.median_ns / 1e6, 3), 13)
            << aligned(fixed(each.least_ns / 1e6, 3), 11) << aligned(fixed(each.greatest_ns / 1e6, 3), 14)
            << aligned(std::to_string(each.count), 8) << '\n';
    }
    out << '\n';
}

}  // namespace

ordered_json importJson(const ImportedRun& run, std::optional<int> iteration) {
    const Recognition& found = run.recognition;
    ordered_json difference;
    if (found.first_difference)
        difference = {{"rank", found.first_difference->rank},
                      {"position", found.first_difference->position},
                      {"expected", found.first_difference->expected},
                      {"found", found.first_difference->found}};
    ordered_json rows = ordered_json::array();
    for (const IterationReport& report : run.reports)
        if (!iteration || report.iteration == *iteration) rows.push_back(rowJson(run, report));
    const ScheduleParams& params = run.schedule.params;
    return {{"source", run.source},
            {"ranks", params.p},
            {"p", params.p},
            {"v", params.v},
            {"m", params.m},
            {"iterations", run.reports.size()},
            {"schedule", orNull(found.schedule)},
            {"nearest_schedule", orNull(found.nearest)},
            {"first_difference", std::move(difference)},
            {"inferred", run.inferred},
            {"clock",
             {{"aligned", run.clock.aligned},
              {"max_shift_us", static_cast<double>(run.clock.max_shift_ns) / 1e3},
              {"contradictions", run.clock.contradictions}}},
            {"provenance", toText(run.timeline.provenance())},
            {"notes", run.notes},
            {"rows", std::move(rows)}};
}

void printImport(std::ostream& out, const ImportedRun& run, const IterationReport& report) {
    const ScheduleParams& params = run.schedule.params;
    out << run.source << " · p=" << params.p << " v=" << params.v << " m=" << params.m << " · "
        << run.reports.size() << (run.reports.size() == 1 ? " iteration" : " iterations") << "   ["
        << toText(report.provenance) << "]\n"
        << "schedule: " << scheduleText(run) << '\n';
    if (run.clock.aligned && run.clock.max_shift_ns == 0)
        out << "clocks: as recorded; no operation starts before what it waits for has ended\n";
    else if (run.clock.aligned)
        out << "clocks: moved by up to " << fixed(static_cast<double>(run.clock.max_shift_ns) / 1e3, 1)
            << " us against each other, so that no operation starts before what it waits for has ended\n";
    for (const std::string& contradiction : run.clock.contradictions)
        out << "clocks: " << contradiction << '\n';
    for (const std::string& note : run.notes) out << "note: " << note << '\n';
    out << '\n';
    printCosts(out, run);
    out << "iteration " << report.iteration << ": " << fixed(report.iteration_ms, 1) << " ms\n"
        << "bubble " << percent(report.bubble_of_total) << " of total = 1 - compute / (p * iteration), "
        << percent(report.bubble_of_ideal) << " of ideal = idle / compute\n";
    if (!std::isnan(report.predicted_bubble_of_total))
        out << "predicted from its own costs " << percent(report.predicted_bubble_of_total) << ", "
            << fixed(report.predicted_iteration_ms, 1) << " ms; "
            << (report.theory_bubble_of_total ? "closed form for equal stages and a free link " +
                                                    percent(*report.theory_bubble_of_total)
                                              : std::string("no closed form"))
            << '\n';
    out << "\nrank    busy ms"
        << (run.knows_transfers ? "   wait ms   transfer ms" : "   wait and transfer ms") << "   bubble"
        << (run.primus_bubbles.empty() ? "" : "   Primus' definition") << '\n';
    for (const RankReport& rank : report.ranks) {
        out << aligned(std::to_string(rank.rank), 4) << aligned(fixed(rank.busy_ms, 1), 11)
            << aligned(fixed(rank.wait_ms, 1), run.knows_transfers ? 10 : 23);
        if (run.knows_transfers) out << aligned(fixed(rank.transfer_ms, 2), 14);
        out << aligned(percent(rank.bubble_of_total), 9);
        if (const auto bubble = primusBubble(run, report.iteration, rank.rank))
            out << aligned(fixed(*bubble * 100, 2) + " %", 21);
        out << '\n';
    }
    out << '\n'
        << textGantt(run.timeline, report.iteration, outputTerminal().columns, outputTerminal().colours);
}

}  // namespace bscope::cli
