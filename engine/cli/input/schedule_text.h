// A schedule and what is predicted for it with given durations, as text and as JSON. Nothing runs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "catalog/catalog.h"
#include "cli/input/command_line.h"
#include "cli/input/saved_costs.h"
#include "cli/print/line_printer.h"
#include "schedule/schedule.h"

namespace bscope::cli {

// Of one operation of one stage, in units; B = i + w, c = latency of a message.
struct UnitDurations {
    double f = 1, i = 1, w = 1, c = 0;
};

// What a schedule is predicted with: durations in units, or those of a run, whose times are milliseconds.
struct PlannedCosts {
    UnitDurations units;
    std::optional<SavedCosts> of_run = std::nullopt;

    Costs of(const Schedule& schedule) const;
    // A predicted time, in units or in milliseconds.
    double shown(std::int64_t ns) const;
};

// Adds --costs.
void addCostsOption(CommandLine& line, UnitDurations& target);

// "v = 2, the usual of Interleaved 1F1B; -v gives another"; empty where the usual is 1 or the only one.
std::string usualChunksText(const CatalogEntry& entry, Language language);

// Fields of a JSON object that stand before and after those of a schedule.
struct JsonFields {
    nlohmann::ordered_json before = nlohmann::ordered_json::object();
    nlohmann::ordered_json after = nlohmann::ordered_json::object();
};
// One JSON object on a line, with the keys scripts depend on.
std::string scheduleJson(Schedule schedule, const PlannedCosts& costs, JsonFields fields = {});
// Step by rank, then the prediction in words with its definitions.
void printScheduleGrid(const LinePrinter& printer, Schedule schedule, const PlannedCosts& costs);

}  // namespace bscope::cli
