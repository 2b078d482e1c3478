#include "cli/input/schedule_text.h"

#include <utility>

#include "catalog/explanation.h"
#include "cli/print/json_text.h"
#include "cli/print/number_text.h"
#include "schedule/formats/csv.h"
#include "schedule/grid.h"
#include "timeline/passing_costs.h"
#include "timeline/predict_summary.h"

namespace bscope::cli {
namespace {

constexpr double kMostUnits = 1e6;

// The schedule passes through its program, whose lists are then free for what is printed.
IterationSummary predicted(Schedule& schedule, const PlannedCosts& costs) {
    Program program = lower(std::move(schedule));
    IterationSummary summary = predictSummary(program, costs.of(program.schedule));
    schedule = std::move(program.schedule);
    return summary;
}

// "PREDICTED, nothing ran: ..."
Sentence costsText(const PlannedCosts& costs) {
    if (const auto& run = costs.of_run)
        return sentence(
            "costs of {0}, medians of {1} [{2}], {3}; {4}; work is taken to be even within a stage of the "
            "run, and the halves of a backward to be equal where the run does not separate them; times in ms",
            run->file, run->source, run->provenance,
            "p=" + std::to_string(run->p) + " v=" + std::to_string(run->v) +
                (run->t > 1 ? " t=" + std::to_string(run->t) : std::string()),
            passingWords(run->costs));
    const UnitDurations& units = costs.units;
    return sentence("{0}", "F=" + shortNumber(units.f) + " I=" + shortNumber(units.i) +
                               " W=" + shortNumber(units.w) + " C=" + shortNumber(units.c) + ", B = I + W");
}

std::vector<int> peaks(const IterationSummary& summary, int RankSummary::*member) {
    std::vector<int> values;
    for (const auto& rank : summary.ranks) values.push_back(rank.*member);
    return values;
}

// Cells hold nothing that JSON writes in another way, and there may be millions of them.
void appendOrders(std::string& text, const Schedule& schedule) {
    text += '[';
    for (std::size_t rank = 0; rank < schedule.orders.size(); ++rank) {
        text += rank > 0 ? ",[" : "[";
        if (!schedule.orders[rank].empty()) {
            text += '"';
            appendRow(text, schedule.orders[rank], "\",\"");
            text += '"';
        }
        text += ']';
    }
    text += ']';
}

}  // namespace

Costs PlannedCosts::of(const Schedule& schedule) const {
    if (of_run) return costsFor(*of_run, schedule);
    return unitCosts(schedule.stageCount(), units.f, units.i, units.w, units.c);
}

double PlannedCosts::shown(std::int64_t ns) const {
    return static_cast<double>(ns) / (of_run ? 1e6 : 1e9);
}

void addCostsOption(CommandLine& line, UnitDurations& target) {
    line.option("--costs", "F=1,I=1,W=1,C=0",
                "durations of one operation of one stage (a rank holds v of them); C = latency of a message",
                [&target](const std::string& text) -> std::optional<std::string> {
                    for (const auto& piece : splitAt(text, ',')) {
                        const auto parts = splitAt(piece, '=');
                        const auto value = parseNumber(parts.back());
                        double* const duration = parts.front() == "F"   ? &target.f
                                                 : parts.front() == "I" ? &target.i
                                                 : parts.front() == "W" ? &target.w
                                                 : parts.front() == "C" ? &target.c
                                                                        : nullptr;
                        if (parts.size() != 2 || !duration || !value || *value < 0 || *value > kMostUnits)
                            return "durations from 0 to 1000000, such as F=1,I=1,W=1,C=0";
                        *duration = *value;
                    }
                    return std::nullopt;
                });
}

std::string usualChunksText(const CatalogEntry& entry, Language language) {
    if (entry.usual_segments > 1)
        return say(sentence("q = {0} segments of every sequence, the usual of {1}; --segments gives others",
                            entry.usual_segments, titleOf(entry, language)),
                   language);
    if (entry.fixed_v > 0 || defaultChunks(entry) == 1) return {};
    return say(sentence("v = {0}, the usual of {1}; -v gives another", defaultChunks(entry),
                        titleOf(entry, language)),
               language);
}

std::string scheduleJson(Schedule schedule, const PlannedCosts& costs, JsonFields fields) {
    const IterationSummary summary = predicted(schedule, costs);
    fields.before.update({
        {"schedule", schedule.name},
        {"p", schedule.params.p},
        {"v", schedule.params.v},
        {"m", schedule.params.m},
        {"placement", schedule.placement},
        {"makespan", costs.shown(summary.iteration_ns)},
        {"span", costs.shown(summary.span_ns)},
        {"bubble_of_total", summary.bubble_of_total},
        {"bubble_of_ideal", summary.bubble_of_ideal},
        {"peak_in_flight", peaks(summary, &RankSummary::peak_in_flight)},
        {"peak_in_flight_dgrad", peaks(summary, &RankSummary::peak_in_flight_dgrad)},
    });
    nlohmann::ordered_json after = nlohmann::ordered_json::object();
    if (schedule.params.d > 1) after["d"] = schedule.params.d;
    if (schedule.params.zero > 0) after["zero"] = schedule.params.zero;
    if (schedule.params.t > 1) after["t"] = schedule.params.t;
    if (schedule.params.segments > 1) after["segments"] = schedule.params.segments;
    if (costs.of_run) {
        after["costs_from"] = costs.of_run->file;
        after["unit"] = "ms";
    }
    after.update(fields.after);
    std::string text = jsonText(fields.before);
    text.pop_back();
    text += ",\"orders\":";
    appendOrders(text, schedule);
    text += after.empty() ? "}" : "," + jsonText(after).substr(1);
    return text;
}

void printScheduleGrid(const LinePrinter& printer, Schedule schedule, const PlannedCosts& costs) {
    const IterationSummary summary = predicted(schedule, costs);
    const int d = schedule.params.d, t = schedule.params.t;
    printer.out() << toGrid(schedule) << '\n';
    printer.line("PREDICTED, nothing ran: {0}", costsText(costs));
    printer.line("makespan {0}, longest span of a rank {1}", shortNumber(costs.shown(summary.iteration_ns)),
                 shortNumber(costs.shown(summary.span_ns)));
    printer.line("bubble {0} of total = idle / ({1} * makespan); {2} of ideal = idle / busy",
                 percent(summary.bubble_of_total), schedule.params.layout().worldText(),
                 percent(summary.bubble_of_ideal));
    std::string most;
    for (const int peak : peaks(summary, &RankSummary::peak_in_flight)) most += ' ' + std::to_string(peak);
    printer.line("most chunks in flight by rank:{0}", most);
    if (t > 1)
        printer.line(
            "t = {0} shards of every stage: ranks r * {0} .. r * {0} + {1} compute together what rank r "
            "computes with t = 1",
            t, t - 1);
    else if (d > 1)
        printer.line(
            "d = {0} data-parallel replicas: rank r is pipeline rank r / {0} of replica r % {0}; they add "
            "their gradients before the optimizer step",
            d);
}

}  // namespace bscope::cli
