// bscope schedule: a schedule as grid, CSV or JSON with what is predicted for it; nothing runs. Durations are
// in units (F = 1 by default), as in the papers.
#include <iostream>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/number_text.h"
#include "cli/schedule_text.h"
#include "schedule/catalog.h"
#include "schedule/csv.h"

namespace bscope::cli {
namespace {

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
    addCostsOption(line, units);
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
    if (json)
        std::cout << scheduleJson(schedule, units).dump() << '\n';
    else
        printScheduleGrid(std::cout, schedule, units);
    return 0;
}

}  // namespace bscope::cli
