// bscope schedule: a schedule as grid, CSV or JSON with what is predicted for it; nothing runs. Durations are
// in units (F = 1 by default), as in the papers.
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/number_text.h"
#include "schedule/catalog.h"
#include "schedule/csv.h"
#include "schedule/grid.h"
#include "timeline/analysis.h"
#include "timeline/predict.h"

namespace bscope::cli {
namespace {

constexpr double kUnitNs = 1e9;

struct UnitDurations {
    double f = 1, i = 1, w = 1, c = 0;
};

Setter setDurations(UnitDurations& target) {
    return [&target](const std::string& text) -> std::optional<std::string> {
        constexpr const char* kLegal = "durations of zero or more, such as F=1,I=1,W=1,C=0";
        for (const auto& piece : splitAt(text, ',')) {
            const auto parts = splitAt(piece, '=');
            const auto value = parseNumber(parts.back());
            double* const duration = parts.front() == "F"   ? &target.f
                                     : parts.front() == "I" ? &target.i
                                     : parts.front() == "W" ? &target.w
                                     : parts.front() == "C" ? &target.c
                                                            : nullptr;
            if (parts.size() != 2 || !duration || !value || *value < 0) return kLegal;
            *duration = *value;
        }
        return std::nullopt;
    };
}

void printList() {
    std::cout << "name           v     bubble of total   source\n";
    for (const CatalogEntry& entry : catalog()) {
        const std::string v =
            entry.fixed_v > 0 ? std::to_string(entry.fixed_v) : std::to_string(entry.min_v) + "..";
        std::cout << padded(entry.name, 15) << padded(v, 6) << padded(entry.bubble_formula, 18)
                  << entry.source << '\n';
    }
    std::cout << "\nBubble of total: closed form for equal stages and a free link.\n";
}

std::vector<int> peaks(const IterationSummary& summary, int RankSummary::*member) {
    std::vector<int> values;
    for (const auto& rank : summary.ranks) values.push_back(rank.*member);
    return values;
}

void printJson(const Schedule& schedule, const IterationSummary& summary) {
    nlohmann::ordered_json orders = nlohmann::ordered_json::array();
    for (const auto& order : schedule.orders) orders.push_back(toCells(order));
    const nlohmann::ordered_json json = {
        {"schedule", schedule.name},
        {"p", schedule.params.p},
        {"v", schedule.params.v},
        {"m", schedule.params.m},
        {"placement", schedule.placement},
        {"makespan", static_cast<double>(summary.iteration_ns) / kUnitNs},
        {"span", static_cast<double>(summary.span_ns) / kUnitNs},
        {"bubble_of_total", summary.bubble_of_total},
        {"bubble_of_ideal", summary.bubble_of_ideal},
        {"peak_in_flight", peaks(summary, &RankSummary::peak_in_flight)},
        {"peak_in_flight_dgrad", peaks(summary, &RankSummary::peak_in_flight_dgrad)},
        {"orders", std::move(orders)},
    };
    std::cout << json.dump() << '\n';
}

void printGrid(const Schedule& schedule, const IterationSummary& summary, const UnitDurations& units) {
    std::cout << toGrid(schedule) << "\nPREDICTED, nothing ran: F=" << shortNumber(units.f)
              << " I=" << shortNumber(units.i) << " W=" << shortNumber(units.w)
              << " C=" << shortNumber(units.c) << ", B = I + W\n"
              << "makespan " << shortNumber(static_cast<double>(summary.iteration_ns) / kUnitNs)
              << ", longest span of a rank " << shortNumber(static_cast<double>(summary.span_ns) / kUnitNs)
              << "\nbubble " << percent(summary.bubble_of_total) << " of total = idle / (p * makespan); "
              << percent(summary.bubble_of_ideal)
              << " of ideal = idle / busy\nmost chunks in flight by rank:";
    for (const int peak : peaks(summary, &RankSummary::peak_in_flight)) std::cout << ' ' << peak;
    std::cout << '\n';
}

}  // namespace

int scheduleCommand(const Arguments& arguments) {
    CommandLine line("schedule", "Prints a schedule and what is predicted for it. Nothing runs.",
                     "bscope schedule 1f1b -p 4 -m 8 --json");
    std::string name;
    ScheduleParams params;
    UnitDurations units;
    bool list = false, csv = false, csv_comms = false, grid = false, json = false;
    line.argument("NAME", "name of the schedule", name);
    line.integer("-p", "pipeline ranks (4)", params.p);
    line.integer("-m", "micro-batches per iteration (8)", params.m);
    line.integer("-v", "virtual stages per rank (1)", params.v);
    line.integer("--group-size", "interleaved: micro-batches per group, 0 = default", params.group_size);
    line.flag("--grid", "step by rank, with the prediction in words (default)", grid);
    line.flag("--json", "one JSON object: orders and prediction", json);
    line.flag("--csv", "PyTorch's compute_only CSV", csv);
    line.flag("--csv-comms", "PyTorch's compute_comms CSV", csv_comms);
    line.option("--costs", "F=1,I=1,W=1,C=0",
                "durations of one operation of one stage; C = latency of a message", setDurations(units));
    line.flag("--list", "the catalog of schedules", list);
    if (!line.parse(arguments)) return 0;
    if (list) {
        line.check();
        printList();
        return 0;
    }
    if (csv + csv_comms + grid + json > 1) line.refuse("choose one of --grid, --json, --csv and --csv-comms");
    if (name.empty())
        line.refuse("which schedule? Give its name; bscope schedule --list shows them");
    else
        line.refuse(scheduleProblems(name, params));
    line.check();

    const Schedule schedule = makeSchedule(name, params);
    if (csv || csv_comms) {
        std::cout << (csv ? toComputeCsv(schedule) : toCommsCsv(schedule));
        return 0;
    }
    const Costs costs = unitCosts(schedule.stageCount(), units.f, units.i, units.w, units.c);
    const IterationSummary summary = summarize(predict(lower(schedule), costs), 0);
    if (json)
        printJson(schedule, summary);
    else
        printGrid(schedule, summary, units);
    return 0;
}

}  // namespace bscope::cli
