// bscope replay: table and picture of a recorded iteration, as bscope run printed them.
#include <iostream>
#include <optional>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/import_text.h"
#include "cli/json_text.h"
#include "cli/report_text.h"

namespace bscope::cli {
namespace {

const IterationReport& chosen(const std::vector<IterationReport>& reports, std::optional<int> iteration) {
    if (reports.empty()) throw std::runtime_error("the recording holds no complete iteration");
    if (!iteration) return reports.back();
    for (const auto& report : reports)
        if (report.iteration == *iteration) return report;
    throw std::runtime_error("the recording has no iteration " + std::to_string(*iteration) + "; it has " +
                             std::to_string(reports.front().iteration) + " to " +
                             std::to_string(reports.back().iteration));
}

}  // namespace

int replayCommand(const Arguments& arguments) {
    CommandLine line("replay", "Prints table and picture of a recorded iteration again.",
                     "bscope replay run.bscope");
    std::string file;
    std::optional<int> iteration;
    bool json = false;
    line.argument("FILE", "a recording", file);
    line.option("--iteration", "N", "which one, from 0 (the last)",
                setInteger([&](int value) { iteration = value; }));
    line.flag("--json", "a JSON line an iteration, as bscope run --json; all of them without --iteration",
              json);
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse("which recording? Give its file");
    line.check();

    RunLog log(json        ? RunLog::Keep::Reports
               : iteration ? RunLog::Keep::Everything
                           : RunLog::Keep::LastIteration,
               iteration);
    if (const auto warning = readRecording(file, log); !warning.empty()) std::cerr << warning << '\n';
    const auto row = [&log](const IterationReport& report) {
        const auto start = log.startOf(report.iteration);
        return start && start->import ? importedRowJson(*start->import, report) : reportJson(report);
    };
    if (json && iteration)
        std::cout << jsonText(row(chosen(log.reports(), iteration))) << '\n';
    else if (json)
        for (const auto& report : log.reports()) std::cout << jsonText(row(report)) << '\n';
    else
        printIteration(std::cout, log, chosen(log.reports(), iteration));
    return 0;
}

}  // namespace bscope::cli
